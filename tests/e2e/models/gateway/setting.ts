import { temporaryFolder } from "../../temporary-folder.ts";
import { endsWithTest } from "../ends-with-test.ts";
import { type FakeProvider, type ProviderAnswer, type SeenRequest, startProvider } from "../fake-provider.ts";
import { openSetting, type Setting, type SettingRequest } from "../gateway-setting.ts";

export const PRICE = { input: 2, output: 10 };

/** A provider that answers so, and a gateway before it; both end with the test. */
export async function gatewayBefore(
  answer: Parameters<typeof startProvider>[0],
  request: (address: string) => Partial<SettingRequest> & Pick<SettingRequest, "roles">,
): Promise<Setting & { provider: FakeProvider; url: string }> {
  const provider = await startProvider(answer);
  const opened = await openSetting({ folder: temporaryFolder(), ...request(provider.url) });
  endsWithTest(provider, { close: async () => void (await opened.end()) });
  return { ...opened, provider, url: `${opened.gateway.url}/v1/messages` };
}

/** All three providers are the one that answers; `anthropic-claude` is a model of it with a price. */
export function setting(
  answer: (request: SeenRequest, number: number) => ProviderAnswer,
  more: Partial<SettingRequest> = {},
) {
  return gatewayBefore(answer, (address) => ({
    roles: { default: "anthropic:claude-real" },
    file: {
      models: { "anthropic-claude": { model: "anthropic:claude-real", base_url: address, price: PRICE } },
      providers: {
        anthropic: { base_url: address },
        openai: { base_url: `${address}/v1` },
        gemini: { base_url: address },
      },
    },
    ...more,
  }));
}
