import { useSuspenseQuery } from '@tanstack/react-query'
import { IptvPanel } from '#features/iptv/web/iptv-panel.tsx'
import { getOwnLine } from '#features/provisioning/contract.ts'
import { OwnLine } from '#features/provisioning/web/own-line.tsx'
import { query } from '#web/data.ts'

/** The line that was provisioned for the customer, and the form for the customer's own IPTV account. */
export function IptvTab() {
  const { data: line } = useSuspenseQuery(query(getOwnLine))
  return (
    <>
      <OwnLine />
      <IptvPanel awaitsLine={line !== null && line.username === null} />
    </>
  )
}
