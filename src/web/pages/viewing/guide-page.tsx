import guideSheet from '#features/guide/web/guide.css?url'
import { GuideView } from '#features/guide/web/guide-view.tsx'
import { ViewerBar } from './viewer-bar.tsx'

/** /guide: what is on, by channel and time. */
export function GuidePage() {
  return (
    <div className="guide">
      <link rel="stylesheet" href={guideSheet} precedence="page" />
      <ViewerBar here="/guide" />
      <GuideView />
    </div>
  )
}
