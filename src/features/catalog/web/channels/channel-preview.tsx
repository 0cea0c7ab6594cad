import { useState } from 'react'
import { ChannelLogo } from '#web/brand/channel-logo.tsx'
import type { Channel } from '../../contract.ts'
import { previewKind } from '../../rules.ts'
import { ChannelVideo } from './channel-video.tsx'

interface Props {
  channel: Channel
  /** Whether the visitor has a running subscription. */
  subscribed: boolean
}

/** The preview of a channel: a stream, video, image or text, with a note that it is a preview. */
export function ChannelPreview({ channel, subscribed }: Props) {
  const { name, previewUrl } = channel
  const [isMissing, setIsMissing] = useState(false)
  const kind = isMissing ? null : previewKind(previewUrl)
  return (
    <div className="preview stage">
      {kind === 'picture' && (
        <img src={previewUrl ?? ''} alt={`Preview of ${name}`} onError={() => setIsMissing(true)} />
      )}
      {previewUrl && (kind === 'stream' || kind === 'video') && (
        <ChannelVideo name={name} url={previewUrl} isStream={kind === 'stream'} />
      )}
      {!kind && (
        <div className="preview-state">
          <ChannelLogo logo={channel.logo} />
          <p>No preview available</p>
        </div>
      )}
      <p className="preview-mode">
        <b>Preview mode.</b> {subscribed ? 'Your plan has the full channel.' : 'Subscribe for full content.'}
      </p>
    </div>
  )
}
