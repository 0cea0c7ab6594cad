import { useMemo } from 'react'
import * as z from 'zod/mini'
import { parseJson } from '#kit/parse-json.ts'
import { safePath } from '#kit/safe-path.ts'
import { useLocalStorage } from '#web/ui/use-local-storage.ts'
import type { Target } from './palette-actions.ts'

const maxStored = 5
const short = z.string().check(z.maxLength(200))
const stored = z.array(z.object({ label: short, note: short, href: short }))

/** Returns the entries last opened with the palette, newest first, stored in this browser; and a function that adds an entry. */
export function useRecentTargets(): [recent: Target[], add: (target: Target) => void] {
  const [text, store] = useLocalStorage('desk-recent')
  const recent = useMemo(() => {
    const { data = [] } = z.safeParse(stored, parseJson(text))
    return data
      .filter(({ href }) => href !== '/' && safePath(href) === href)
      .slice(0, maxStored)
      .map((entry) => ({ ...entry, id: `recent-${entry.href}` }))
  }, [text])
  const add = ({ label, note, href }: Target) =>
    store(JSON.stringify([{ label, note, href }, ...recent.filter((other) => other.href !== href)].slice(0, maxStored)))
  return [recent, add]
}
