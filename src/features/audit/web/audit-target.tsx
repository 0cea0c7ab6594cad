import { Link, type LinkProps } from '@tanstack/react-router'
import { Clipped } from '#web/ui/clipped.tsx'
import type { AuditEntry } from '../admin-contract.ts'
import { humanize, targetLink } from '../rules.ts'

/** The target of an entry, linked to its page if it has one. */
export function AuditTarget({ entry }: { entry: AuditEntry }) {
  const name = entry.targetLabel ?? (/^\d+$/.test(entry.targetId) ? `#${entry.targetId}` : entry.targetId)
  const text = `${humanize(entry.targetType)} ${name}`
  const link = targetLink(entry)
  if (!link) return <Clipped wide text={text} />
  return (
    <Link {...(link as LinkProps)} className="link cell-clip cell-clip-wide" title={text}>
      {text}
    </Link>
  )
}
