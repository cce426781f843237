/** What medals were measured against. Only a board that came from Kaggle is called so. */
export function fieldsText(sources: Iterable<string>): string {
  return fieldNames(sources).join(", ") || "none";
}

export function fieldNames(sources: Iterable<string>): string[] {
  return [...new Set(sources)].map((source) =>
    source === "kaggle" ? "Kaggle private leaderboards" : source,
  );
}
