import { useState } from 'react'

/** Which entry's dialog is open (null for a new one) and the button that opened it; `turn` renders a dialog anew for every opening. */
export function useManaged<Entry>() {
  const [managed, setManaged] = useState<{ entry: Entry | null; button: HTMLElement; turn: number }>()
  const manage = (entry: Entry | null, button: HTMLElement) => setManaged((before) => ({ entry, button, turn: (before?.turn ?? 0) + 1 }))
  return { managed, manage }
}
