import type { QueryClient } from '@tanstack/react-query'
import { createReport, listReports } from '#features/reports/contract.ts'
import { messageOf } from '#kit/caller.ts'
import { callOf, refresh } from '#web/data.ts'
import { announce } from '#web/ui/announce.ts'
import { toast } from '#web/ui/toast/toast.ts'
import type { PlayState } from '../use-play.ts'

type Observed = {
  channel: string
  program: string | undefined
  state: PlayState
  /** Bits per second. */
  bitrate: number
}

/** Sends a report about the channel with the state of the player, without a form. The toast links to the customer's reports. Import this module lazily. */
export async function sendPlayerReport(
  client: QueryClient,
  { channel, program, state, bitrate }: Observed,
  onShow: () => void,
): Promise<void> {
  const facts = [
    program && `Program: ${program}.`,
    `Player: ${(state.phase === 'stopped' ? state.reason : state.phase).replaceAll('_', ' ')}.`,
    bitrate > 0 && `Connection: ${(bitrate / 1_000_000).toFixed(1)} Mbps.`,
  ]
  try {
    const { id } = await callOf(client)(createReport, {
      body: {
        contentType: 'channel',
        contentName: channel,
        issue: state.phase === 'playing' ? 'buffering' : 'not_working',
        description: ['Sent from the player.', ...facts].filter(Boolean).join(' '),
      },
    })
    void refresh(client, [listReports.id])
    announce(`Report ${id} sent`)
    toast({
      title: 'Report sent',
      description: `Our team has received your report about ${channel}.`,
      action: { label: 'See Your Reports', onPress: onShow },
    })
  } catch (error) {
    toast({ title: 'Report not sent', description: messageOf(error), variant: 'destructive' })
  }
}
