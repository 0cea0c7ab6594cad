import { IptvPanel } from '#features/iptv/web/iptv-panel.tsx'
import { OwnLine } from '#features/provisioning/web/own-line.tsx'

/** The line that was provisioned for the customer, and the form for their own IPTV account. */
export function IptvTab() {
  return (
    <>
      <OwnLine />
      <IptvPanel />
    </>
  )
}
