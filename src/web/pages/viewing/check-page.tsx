import checkSheet from '#features/self-check/web/check.css?url'
import { CheckView } from '#features/self-check/web/check-view.tsx'
import { avoidHost, isHostAvoided } from '#features/watch/web/engine/avoided-hosts.ts'
import { ViewerBar } from './viewer-bar.tsx'

/** /check: the self-check, which finds where between the device and the channel a fault is. */
export function CheckPage() {
  return (
    <>
      <link rel="stylesheet" href={checkSheet} precedence="page" />
      <ViewerBar here="/check" />
      <div className="self-check">
        <CheckView isAvoided={isHostAvoided} onAvoid={avoidHost} />
      </div>
    </>
  )
}
