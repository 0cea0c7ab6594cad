import { Link, type LinkProps } from '@tanstack/react-router'
import { Clipped } from '#web/ui/clipped.tsx'
import type { AuditEntry } from '../admin-contract.ts'
import { targetLink, wordsOf } from '../rules.ts'

/** What an entry is about, linked where it can be looked at. */
export function AuditTarget({ entry }: { entry: AuditEntry }) {
  const name = entry.targetLabel ?? (/^\d+$/.test(entry.targetId) ? `#${entry.targetId}` : entry.targetId)
  const text = `${wordsOf(entry.targetType)} ${name}`
  const link = targetLink(entry)
  if (!link) return <Clipped wide text={text} />
  return (
    <Link {...(link as LinkProps)} className="link cell-clip cell-clip-wide" title={text}>
      {text}
    </Link>
  )
}
