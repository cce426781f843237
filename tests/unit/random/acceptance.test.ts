import { createHash } from "node:crypto";
import { describe, expect, test } from "vitest";
import { permutation, randomState } from "../../../src/random/numpy-legacy.ts";
import { pandasSample } from "../../../src/random/pandas-sample.ts";
import { pythonChoice, pythonRandom, pythonShuffle } from "../../../src/random/python-random.ts";
import { trainTestSplit } from "../../../src/random/train-test-split.ts";
import {
  type CsvCell,
  type CsvColumn,
  type CsvColumnKind,
  csvWriter,
} from "../../../src/table/csv/writer.ts";

/** md5 of a CSV with the given columns (`name:kind`) and rows. */
function md5OfCsv(columns: readonly string[], rows: Iterable<readonly CsvCell[]>): string {
  const hash = createHash("md5");
  const parsed: CsvColumn[] = columns.map((column) => {
    const [name, kind] = column.split(":");
    return { name, kind: kind as CsvColumnKind };
  });
  const writeRow = csvWriter(parsed, (row) => hash.update(row));
  for (const row of rows) writeRow(row);
  return hash.digest("hex");
}

function* numbered(first: number, count: number, ...constants: CsvCell[]): Generator<CsvCell[]> {
  for (let i = first; i < first + count; i++) yield [i, ...constants];
}

const testOf = (count: number, testFraction: number) => trainTestSplit(count, { testFraction }, 0)!.test;

describe("files whose content depends only on counts and permutations have the md5 recorded for the original", () => {
  test("tabular-playground-series-dec-2021, a permutation of four million", () => {
    const rows = Array.from(testOf(4_000_000, 0.1), (p) => [p, 2]);
    expect(md5OfCsv(["Id:int", "Cover_Type:int"], rows)).toBe("d7b1e1f35677df7cce6942a8c053633f");
  });

  test("tabular-playground-series-may-2022", () => {
    const md5 = md5OfCsv(["id:int", "target:float"], numbered(800_000, 100_000, 0.5));
    expect(md5).toBe("353457517aa847e701141e00a7a774eb");
  });

  test("playground-series-s3e18", () => {
    const rows = Array.from(testOf(14_838, 0.1), (p) => [p, 0.5, 0.5]);
    expect(md5OfCsv(["id:int", "EC1:float", "EC2:float"], rows)).toBe("9bb782a52ccbfd6873f9a1e9cc3e97d3");
  });

  test("movie-review-sentiment-analysis-kernels-only", () => {
    const rows = Array.from(testOf(156_060, 0.3), (p) => [p + 1, 2]);
    expect(md5OfCsv(["PhraseId:int", "Sentiment:int"], rows)).toBe("2da66116279038cc280e8cafcb27a6ea");
  });

  test("nomad2018-predict-transparent-conductors", () => {
    const columns = ["id:int", "formation_energy_ev_natom:float", "bandgap_energy_ev:float"];
    expect(md5OfCsv(columns, numbered(1, 240, 0.1779, 1.8892))).toBe("f6ca859f7a81041cad0594cf31f171d9");
  });

  test("ventilator-pressure-prediction", () => {
    const md5 = md5OfCsv(["id:int", "pressure:int"], numbered(1, 603_600, 0));
    expect(md5).toBe("6ab5162be2a03922cfc6068befc31c22");
  });

  test("tensorflow-speech-recognition-challenge", () => {
    const clips = Array.from({ length: 6473 }, (_, i) => [
      `clip_${String(i).padStart(8, "0")}.wav`,
      "silence",
    ]);
    expect(md5OfCsv(["fname:text", "label:text"], clips)).toBe("0b22e4798056a81416614ee8aa3c6ae5");
  });

  test("plant-pathology-2020-fgvc7, test and sample", () => {
    const names = Array.from({ length: 183 }, (_, i) => `Test_${i}`);
    const columns = ["image_id:text", "healthy:float", "multiple_diseases:float", "rust:float", "scab:float"];
    const test = names.map((name) => [name]);
    const sample = names.map((name) => [name, 0.25, 0.25, 0.25, 0.25]);
    expect(md5OfCsv(["image_id:text"], test)).toBe("4a6cc8292989880ba253a124634efff1");
    expect(md5OfCsv(columns, sample)).toBe("7a67fc684abd73d9d1afc554e8d5cf07");
  });

  test("ml2021spring-hw2", () => {
    const md5 = md5OfCsv(["Id:int", "ClassId:int"], numbered(0, 330_291, 0));
    expect(md5).toBe("4fe69a042cfe9e066c088e603917eec4");
  });

  test("mlsp-2013-birds", () => {
    const records = pandasSample(322, { fraction: 0.2 }, 0)!.toSorted();
    const species = Array.from({ length: 19 }, (_, i) => i);
    const rows = [...records].flatMap((record) => species.map((bird) => [100 * record + bird, 0]));
    expect(md5OfCsv(["Id:int", "Probability:int"], rows)).toBe("6c0430ab5959d2e718911c3bd7a26a2f");
  });

  test("vesuvius-challenge-ink-detection", () => {
    const md5 = md5OfCsv(["Id:text", "Predicted:text"], [["a", "1 1 5 1"]]);
    expect(md5).toBe("034491951a7c40fbcac61ebe97ec4629");
  });

  test("alaska2-image-steganalysis, labels and sample", () => {
    const generator = pythonRandom(0);
    const positions = Array.from({ length: 5000 }, (_, i) => i);
    pythonShuffle(generator, positions);
    const draws = positions.map(() =>
      pythonChoice(generator, [true, false]) ? 0 : pythonChoice(generator, [1, 2, 3]),
    );
    const ids = draws.map((_, i) => `${String(i + 1).padStart(4, "0")}.jpg`);
    const labels = draws.map((folder) => (folder === 0 ? 0 : 1));
    const columns = ["Id:text", "Label:int"];
    expect(positions.slice(0, 5)).toEqual([2795, 4151, 597, 2932, 3289]);
    expect(draws.slice(0, 20).join(" ")).toBe("2 1 2 0 1 0 0 3 2 2 0 3 3 0 3 2 1 0 3 2");
    expect(labels.filter((label) => label === 1)).toHaveLength(2489);
    const answers = ids.map((id, i) => [id, labels[i]]);
    expect(md5OfCsv(columns, answers)).toBe("f90b06076f750fb56ae35c3df715ada1");
    const sample = ids.map((id) => [id, 0]);
    expect(md5OfCsv(columns, sample)).toBe("f4623502821bbd1399ecc8f5d66fc243");
  });

  test("dogs-vs-cats-redux-kernels-edition, answers and sample", () => {
    const numbers = Array.from({ length: 12_500 }, (_, i) => i);
    const names = ["cat", "dog"].flatMap((animal) => numbers.map((n) => `${animal}.${n}.jpg`)).sort();
    const answers = Array.from(testOf(names.length, 0.1), (p, i) => [
      i + 1,
      names[p].includes("dog") ? 1 : 0,
    ]);
    expect(md5OfCsv(["id:int", "label:int"], answers)).toBe("98f293fd3f37f967c17aa9263e866c30");
    const md5 = md5OfCsv(["id:int", "label:float"], numbered(1, 2500, 0.5));
    expect(md5).toBe("cfe8f41567220b6fcbbdc4eb4df7230f");
  });

  test("invasive-species-monitoring", () => {
    const rows = Array.from(testOf(2295, 0.2), (p) => [p + 1, 0.5]);
    expect(md5OfCsv(["name:int", "invasive:float"], rows)).toBe("3fc85f5b579bbf85aa605899887df903");
  });

  test("hubmap-kidney-segmentation", () => {
    const ids = ["8242609fa", "0486052bb", "095bf7a1f"];
    const rows = ids.map((id) => [id, ""]);
    expect(md5OfCsv(["id:text", "predicted:text"], rows)).toBe("135a2b41c9aa16f03880908a7171dc28");
  });

  test.each([
    ["herbarium-2020-fgvc7", 219_124, 0, "a1bdb830f6582fcb9cffe8cec363a0b1"],
    ["herbarium-2021-fgvc8", 477_806, 0, "e53508ab941ce7f219c6e82fde9a6baa"],
    ["herbarium-2022-fgvc9", 174_052, 42, "c2b0d6f95036aaa177a4e14a0d627054"],
  ])("%s", (_, count, constant, md5) => {
    expect(md5OfCsv(["Id:int", "Predicted:int"], numbered(0, count, constant))).toBe(md5);
  });

  test("denoising-dirty-documents, with page heights found by trial", () => {
    const stems = Array.from({ length: 216 }, (_, i) => i + 1).filter((n) => n % 3 !== 1);
    const sorted = stems.map((n) => `${n}.png`).sort();
    const chosen = Array.from(testOf(sorted.length, 0.2), (p) => sorted[p]).sort();
    function* rows(): Generator<CsvCell[]> {
      for (const name of chosen) {
        const stem = Number.parseInt(name, 10);
        const height = stem < 73 ? 258 : 420;
        for (let r = 1; r <= height; r++) for (let c = 1; c <= 540; c++) yield [`${stem}_${r}_${c}`, 1];
      }
    }
    expect(md5OfCsv(["id:text", "value:int"], rows())).toBe("b9ae2607ee98bd6b9903de500a53bf90");
  });
});

test("a permutation of ten million takes seconds, not minutes, and four bytes an item", () => {
  const order = permutation(randomState(0), 10_000_000);
  expect(order.BYTES_PER_ELEMENT).toBe(4);
  expect(order.reduce((sum, position) => sum + position, 0)).toBe((10_000_000 * 9_999_999) / 2);
});
