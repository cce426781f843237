/**
 * The address of one endpoint. The protocols' paths begin with a version (`/v1/…`), and so do most base URLs end: one that
 * ends with a version has it once, a bare host gets the path's own, and any other folder is taken at its word.
 */
export function endpointUrl(baseUrl: string, path: string): URL {
  const base = new URL(baseUrl);
  const folder = base.pathname.replace(/\/+$/, "");
  const [, version, rest] = /^(\/v\d[a-z0-9]*)?(\/.*)$/s.exec(path) ?? ["", "", path];
  const keepsVersion = folder === "" || !/\/v\d[a-z0-9]*$/.test(folder);
  // `https://host/api` without a version: OpenAI's clients append to it directly, so a version of ours would be too many.
  const bare = folder !== "" && keepsVersion && !endsBeforeVersion(folder);
  const target = new URL(`${folder}${keepsVersion && !bare ? (version ?? "") : ""}${rest}`, base.origin);
  for (const [name, value] of base.searchParams) target.searchParams.append(name, value);
  return target;
}

/** Folders that are known to stand before a version. */
function endsBeforeVersion(folder: string): boolean {
  return /\/(api|openai|anthropic|gemini)$/.test(folder);
}
