let check: (() => Promise<boolean>) | undefined

/**
 * Blocks outbound calls and emails of this process until `held` resolves to false. After that, `held` is not called again. `Outbound`, `smtp` and the workers
 * check `isOutboundHeld`.
 */
export function holdOutbound(held: () => Promise<boolean>): void {
  check = held
}

/** Whether outbound calls and emails are blocked. They are also blocked if the check fails. */
export async function isOutboundHeld(): Promise<boolean> {
  const current = check
  if (!current) return false
  const held = await current().catch(() => true)
  if (!held && check === current) check = undefined
  return held
}
