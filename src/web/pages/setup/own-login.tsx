import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { getOwnLine } from '#features/provisioning/contract.ts'
import { OwnLogin as OwnLineLogin } from '#features/provisioning/web/own-login.tsx'
import { query } from '../../data.ts'

/** The user's own TV login, or the example while the user has none. */
export function OwnLogin({ example }: { example: ReactNode }) {
  const { data: line } = useQuery(query(getOwnLine))
  if (!line || line.username === null) return example
  return (
    <>
      <div className="mt-4">
        <OwnLineLogin line={{ ...line, username: line.username }} />
      </div>
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
