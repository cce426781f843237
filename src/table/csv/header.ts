/**
 * Column names as pandas gives them: an empty one becomes `Unnamed: <position>`, a repeated one gets the first free
 * suffix `.1`, `.2`, … Named columns choose first, so that a real `Unnamed: 0` keeps its name.
 */
export function columnNames(fields: readonly string[]): string[] {
  const names = fields.map((field, position) => (field === "" ? `Unnamed: ${position}` : field));
  const positions = [...fields.keys()];
  const order = [
    ...positions.filter((position) => fields[position] !== ""),
    ...positions.filter((position) => fields[position] === ""),
  ];
  const taken = new Set(names);
  const counts = new Map<string, number>();
  for (const position of order) {
    const original = names[position];
    let name = original;
    let count = counts.get(name) ?? 0;
    while (count > 0) {
      counts.set(original, count + 1);
      name = `${original}.${count}`;
      count = taken.has(name) ? count + 1 : (counts.get(name) ?? 0);
    }
    if (name !== original) {
      names[position] = name;
      taken.add(name);
    }
    counts.set(name, count + 1);
  }
  return names;
}
