import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { Archives } from '#features/guide/web/archives.ts'
import guideSheet from '#features/guide/web/guide.css?url'
import { GuideView } from '#features/guide/web/guide-view.tsx'
import { getWatch } from '#features/watch/contract.ts'
import { query } from '../../data.ts'
import { ViewerBar } from './viewer-bar.tsx'

/** /guide: what is on, by channel and time. */
export function GuidePage() {
  const { data: watch } = useQuery(query(getWatch))
  const archives = useMemo(
    () => new Map(watch?.channels.flatMap(({ id, blocked, archiveHours }) => (blocked ? [] : [[id, archiveHours]]))),
    [watch],
  )
  return (
    <div className="guide">
      <link rel="stylesheet" href={guideSheet} precedence="page" />
      <ViewerBar here="/guide" />
      <Archives value={archives}>
        <GuideView />
      </Archives>
    </div>
  )
}
