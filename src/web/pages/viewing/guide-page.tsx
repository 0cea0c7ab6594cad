import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { Archives, archivesOf } from '#features/guide/web/archives.ts'
import { ChannelNumbers } from '#features/guide/web/channel-numbers.ts'
import guideSheet from '#features/guide/web/guide.css?url'
import { GuideView } from '#features/guide/web/guide-view.tsx'
import { getWatch } from '#features/watch/contract.ts'
import { query } from '../../data.ts'
import { ViewerBar } from './viewer-bar.tsx'

/** /guide: what is on, by channel and time. */
export function GuidePage() {
  const { data: watch } = useQuery(query(getWatch))
  const archives = useMemo(() => archivesOf(watch), [watch])
  const numbers = useMemo(
    () => new Map(watch?.channels.flatMap(({ id, number }) => (number === null ? [] : [[id, number]]))),
    [watch],
  )
  return (
    <>
      <link rel="stylesheet" href={guideSheet} precedence="page" />
      <ViewerBar here="/guide" />
      <div className="guide">
        <Archives value={archives}>
          <ChannelNumbers value={numbers}>
            <GuideView />
          </ChannelNumbers>
        </Archives>
      </div>
    </>
  )
}
