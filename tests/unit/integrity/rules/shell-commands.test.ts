import { expect, test } from "vitest";
import { documentWord, withoutDocuments } from "../../../../src/integrity/rules/shell-commands.ts";

test.each([
  ["cat <<EOF", "EOF"],
  ["cat<<-'END-1' > x", "END-1"],
  ['cat << "END OF IT" | head', "END OF IT"],
  ["cat <<\\EOF", "EOF"],
  ["echo $((1<<2)); cat <<EOF;", "EOF"],
  ['bash -c "cat <<EOF', "EOF"],
  ['cat <<< "x"', null],
  ["x=$((1<<20))", null],
  ["# see <<EOF", null],
  ["ls # <<EOF", null],
  ['echo "<<EOF" \'<<EOF\' \\"', null],
])("the word that ends a document: %s", (line, expected) => {
  expect(documentWord(line)).toBe(expected);
});

test.each([
  ['grep a <<< "x"\ncurl y\nx', 'grep a <<< "x"\ncurl y\nx'],
  ["x=$((1<<20))\ncurl y\n20", "x=$((1<<20))\ncurl y\n20"],
  ["# see <<EOF\ncurl y\nEOF", "# see <<EOF\ncurl y\nEOF"],
  ["cat <<'END-1'\na\nEND\nb\nEND-1\ncurl y", "cat <<'END-1'\ncurl y"],
  ["cat <<\\EOF\na\nEOF\ncurl y", "cat <<\\EOF\ncurl y"],
  ["cat <<EOF\ncurl y", "cat <<EOF\ncurl y"],
])("what stands behind no document stays: %j", (shell, expected) => {
  expect(withoutDocuments(shell)).toBe(expected);
});

test.each([
  ["documents without an end", "cat <<EOF\n".repeat(150_000)],
  ["brackets", "<<$((".repeat(300_000)],
  ["quotation marks", `<<"${'\\"'.repeat(500_000)}`],
])("%s take no time and lose nothing", (_, shell) => {
  expect(withoutDocuments(shell)).toBe(shell);
});
