import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { getOwnLine } from '#features/provisioning/contract.ts'
import { OwnLineFact } from '#features/provisioning/web/own-line-fact.tsx'
import { OwnLinePassword } from '#features/provisioning/web/own-line-password.tsx'
import { query } from '../../data.ts'

/** The member's own TV login, or the example while there is none. */
export function OwnLogin({ example }: { example: ReactNode }) {
  const { data: line } = useQuery(query(getOwnLine))
  if (!line || line.username === null) return example
  return (
    <>
      <dl className="mt-4 overflow-hidden rounded-md border *:last:border-b-0">
        {line.server !== null && <OwnLineFact name="Server" text={line.server} />}
        <OwnLineFact name="Username" text={line.username} />
        <OwnLinePassword />
      </dl>
      <p className="text-sm">
        This is your TV login, also under{' '}
        <Link to="/dashboard" search={{ tab: 'iptv' }} className="link">
          IPTV Account
        </Link>
        . It is not the one you use for this site.
      </p>
    </>
  )
}
