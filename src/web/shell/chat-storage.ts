/** The items that the chat keeps in browser storage: the consent for this tab, and the id of the user whose conversation the widget holds. */
const slots = {
  /** `agreed`, or `open` when the chat has to start in the next document. */
  consent: { key: 'chat', storage: () => sessionStorage },
  user: { key: 'chat-person', storage: () => localStorage },
}
type Slot = keyof typeof slots

// Some private windows throw on any access to storage. The visitor is then asked for consent again.
export function readChatSlot(slot: Slot): string | null {
  const { key, storage } = slots[slot]
  try {
    return storage().getItem(key)
  } catch {
    return null
  }
}

export function writeChatSlot(slot: Slot, value: string | null): void {
  const { key, storage } = slots[slot]
  try {
    if (value === null) storage().removeItem(key)
    else storage().setItem(key, value)
  } catch {
    // See readChatSlot.
  }
}
