import { IptvPanel } from '#features/iptv/web/iptv-panel.tsx'
import { OwnLine } from '#features/provisioning/web/own-line.tsx'

/** The line that was made for the customer, and the account they can enter themselves. */
export function IptvTab() {
  return (
    <>
      <OwnLine />
      <IptvPanel />
    </>
  )
}
