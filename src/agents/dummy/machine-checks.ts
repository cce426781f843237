import fs from "node:fs";
import os from "node:os";
import type { AgentContract } from "../kit/contract.ts";
import { type Check, mustBe, noted } from "./check.ts";

/** A deadline further off than the whole budget means that one of two clocks is wrong. */
const CLOCK_TOLERANCE_SECONDS = 5;

/** Who and where we are, and how much time there is. */
export function machineChecks(contract: AgentContract): Check[] {
  const { uid, gid, username } = os.userInfo();
  const { deadlineEpoch, timeLimitSeconds, seed, competitionId } = contract;
  const left = deadlineEpoch - Date.now() / 1000;
  const inTime = left > 0 && left <= timeLimitSeconds + CLOCK_TOLERANCE_SECONDS;
  return [
    mustBe("user", uid !== 0 || !isPrivileged(), `user ${uid} (${username}), group ${gid}`),
    noted("runtime", `Node ${process.version}, ${os.type()} ${os.release()}, ${process.arch}`),
    noted(
      "hardware",
      `${process.env.HARDWARE ?? "?"}; ${os.cpus().length} processors, ${os.totalmem()} bytes`,
    ),
    noted("limits", fs.existsSync("/proc/self/limits") ? fs.readFileSync("/proc/self/limits", "utf8") : "?"),
    mustBe("competition", competitionId !== "", competitionId || "COMPETITION_ID is not set"),
    mustBe("seed", Number.isSafeInteger(seed), `${seed}`),
    mustBe("deadline", inTime, `${left.toFixed(1)} s left of ${timeLimitSeconds} s`),
    deadlineFile(contract),
  ];
}

function deadlineFile({ home, deadlineEpoch }: AgentContract): Check {
  const file = `${home}/DEADLINE.txt`;
  try {
    const text = fs.readFileSync(file, "utf8").trim();
    return mustBe("deadline-file", Number(text) === deadlineEpoch, `${file} says ${text}`);
  } catch (error) {
    return mustBe("deadline-file", false, (error as Error).message);
  }
}

/** User 0 without capabilities is nobody; with them it owns the machine. */
function isPrivileged(): boolean {
  try {
    const effective = /^CapEff:\s*([0-9a-f]+)/m.exec(fs.readFileSync("/proc/self/status", "utf8"))?.[1];
    return effective === undefined || BigInt(`0x${effective}`) !== 0n;
  } catch {
    return true;
  }
}
