/** One thing looked at from inside. Only mandatory ones decide about the exit status. */
export interface Check {
  name: string;
  mandatory: boolean;
  ok: boolean;
  detail: string;
}

export function mustBe(name: string, ok: boolean, detail: string): Check {
  return { name, mandatory: true, ok, detail };
}

/** Something worth knowing that cannot be wrong. */
export function noted(name: string, detail: string): Check {
  return { name, mandatory: false, ok: true, detail };
}
