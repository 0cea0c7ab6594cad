let check: (() => Promise<boolean>) | undefined

/**
 * Blocks outbound calls and email of this process until `held` resolves to false; after that it is not called again. `Outbound`, `smtp` and
 * the workers check `isOutboundHeld`.
 */
export function holdOutbound(held: () => Promise<boolean>): void {
  check = held
}

/** Whether outbound calls and email are blocked. They are also blocked if the check fails. */
export async function isOutboundHeld(): Promise<boolean> {
  const current = check
  if (!current) return false
  const held = await current().catch(() => true)
  if (!held && check === current) check = undefined
  return held
}
