export const ORDER_MATTERS: Record<string, string> = {};
