import fs from "node:fs";
import path from "node:path";
import { userCacheFolder } from "../../data/place/data-folder.ts";

/** `light` is Python alone; `heavy` adds what Debian packages of the scientific and machine-learning world. */
export type EnvironmentWeight = "light" | "heavy";

const LIGHT_PACKAGES = ["ca-certificates", "curl", "procps", "python3", "unzip"];
const HEAVY_PACKAGES = [
  ...["git", "p7zip-full", "python3-pip", "python3-venv"],
  ...["python3-numpy", "python3-pandas", "python3-scipy", "python3-sklearn", "python3-statsmodels"],
  ...["python3-xgboost", "python3-torch", "python3-torchvision", "python3-joblib", "python3-tqdm"],
  ...["python3-matplotlib", "python3-seaborn", "python3-networkx", "python3-lxml", "python3-h5py"],
  ...["python3-pil", "python3-skimage", "python3-opencv", "python3-imageio", "python3-pydicom"],
  ...["python3-soundfile", "python3-nltk"],
];

export const ENVIRONMENT_PACKAGES: Readonly<Record<EnvironmentWeight, readonly string[]>> = {
  light: LIGHT_PACKAGES,
  heavy: [...LIGHT_PACKAGES, ...HEAVY_PACKAGES].sort(),
};

/** The Python packages `env check` asks for, and what each is imported as. */
export const PYTHON_PACKAGES: Readonly<Record<string, string>> = {
  numpy: "numpy",
  pandas: "pandas",
  scipy: "scipy",
  "scikit-learn": "sklearn",
  statsmodels: "statsmodels",
  xgboost: "xgboost",
  lightgbm: "lightgbm",
  torch: "torch",
  torchvision: "torchvision",
  tensorflow: "tensorflow",
  transformers: "transformers",
  matplotlib: "matplotlib",
  Pillow: "PIL",
  opencv: "cv2",
  "scikit-image": "skimage",
  nltk: "nltk",
  pydicom: "pydicom",
  h5py: "h5py",
};

/** The folders of the agent contract, in every environment. */
export const AGENT_FOLDERS = ["data", "submission", "logs", "code", "agent"] as const;

/** Where a built root file system lies: in the user's cache, unless another folder is given. */
export function environmentFolder(weight: EnvironmentWeight, given?: string): string {
  return path.join(path.resolve(given ?? path.join(userCacheFolder(), "mle-bench", "env")), weight);
}

export function environmentImage(weight: EnvironmentWeight): string {
  return `localhost/mlebench-env:${weight}`;
}

/** The root file system an agent gets when nothing else is asked for: the heaviest that has been built, or none. */
export function builtEnvironment(given?: string): { weight: EnvironmentWeight; folder: string } | null {
  for (const weight of ["heavy", "light"] as const) {
    const folder = environmentFolder(weight, given);
    if (fs.existsSync(path.join(folder, "usr"))) return { weight, folder };
  }
  return null;
}
