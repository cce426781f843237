/**
 * A folder or file of a competition that the user wrote cannot be used. Thrown, because it can surface wherever an id is
 * looked up; known by its name, because commands are bundled apart, each with a copy of everything.
 */
export function badCompetition(message: string): Error {
  return Object.assign(new Error(message), { name: BAD_COMPETITION });
}

export function isBadCompetition(error: unknown): error is Error {
  return error instanceof Error && error.name === BAD_COMPETITION;
}

const BAD_COMPETITION = "BadCompetitionError";
