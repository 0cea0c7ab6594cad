import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useId, useState } from 'react'
import { messageOf } from '#kit/caller.ts'
import { query, useSend } from '#web/data.ts'
import { Button } from '#web/ui/button/button.tsx'
import { FormDialog } from '#web/ui/dialog/form-dialog.tsx'
import { Field } from '#web/ui/form/field.tsx'
import { Input } from '#web/ui/form/input.tsx'
import { NativeSelect } from '#web/ui/form/native-select.tsx'
import type { RowDialogProps } from '#web/ui/table/row-dialogs.tsx'
import { toast } from '#web/ui/toast/toast.ts'
import {
  type ChannelMatch,
  type Listing,
  listChannelMatches,
  listGuideSources,
  listListings,
  resetChannelMatch,
  setChannelMatch,
} from '../../admin-contract.ts'
import { maxShiftMinutes } from '../../source-rules.ts'
import { listingText } from './listing-text.ts'

/** Sets the listings of a channel by hand (or none) and the shift of their times, or lets the channel be matched automatically again. */
export function MatchDialog({ opened: channel, returnTo }: RowDialogProps<ChannelMatch>) {
  const id = useId()
  const [open, setOpen] = useState(true)
  const [search, setSearch] = useState('')
  const chosenBefore = channel.listing ?? channel.suggestion
  const [chosen, choose] = useState(chosenBefore ? String(chosenBefore.id) : '')
  const [shift, setShift] = useState(String(channel.shiftMinutes))
  const found = useQuery({
    ...query(listListings, {
      params: { channelId: channel.id },
      query: search.trim() ? { search: search.trim() } : {},
    }),
    placeholderData: keepPreviousData,
  })
  const set = useSend(setChannelMatch, [listChannelMatches, listGuideSources])
  const reset = useSend(resetChannelMatch, [listChannelMatches, listGuideSources])
  const minutes = Number(shift)
  const isShift = shift.trim() !== '' && Number.isInteger(minutes) && Math.abs(minutes) <= maxShiftMinutes
  const options = withChosen(found.data ?? [], chosenBefore)
  const failure = set.error ?? reset.error ?? found.error
  const closeWith = (title: string) => {
    setOpen(false)
    toast({ title, description: channel.name })
  }

  return (
    <FormDialog
      open={open}
      onClose={() => setOpen(false)}
      formId={`${id}-form`}
      title={`Listings for ${channel.name}`}
      description={
        channel.epgId === '' ? 'The panel has no EPG ID for this channel.' : `EPG ID from the panel: ${channel.epgId}`
      }
      action="Save"
      pending={set.isPending || reset.isPending}
      disabled={!isShift}
      error={failure ? { message: messageOf(failure) } : undefined}
      returnTo={returnTo}
      extra={
        channel.matched === 'hand' && (
          <Button
            variant="line"
            className="sm:mr-auto"
            onClick={() =>
              reset.mutate(
                { params: { channelId: channel.id } },
                { onSuccess: () => closeWith('Will be matched automatically at the next read') },
              )
            }
          >
            Match Automatically
          </Button>
        )
      }
    >
      <form
        id={`${id}-form`}
        noValidate
        className="grid gap-4"
        onSubmit={(event) => {
          event.preventDefault()
          set.mutate(
            {
              params: { channelId: channel.id },
              body: { listingId: chosen === '' ? null : Number(chosen), shiftMinutes: minutes },
            },
            { onSuccess: () => closeWith('Listings set') },
          )
        }}
      >
        <Field id={`${id}-search`} label="Search" hint="Part of the name or ID. Leave empty to see similar names.">
          <Input
            value={search}
            onChange={({ target }) => setSearch(target.value)}
            type="search"
            autoComplete="off"
            maxLength={100}
          />
        </Field>
        <Field
          id={`${id}-listing`}
          label="Listings"
          hint={found.data?.length === 0 ? 'No listings found.' : 'Programs appear a few minutes after a change.'}
        >
          <NativeSelect value={chosen} onChange={({ target }) => choose(target.value)}>
            <option value="">None</option>
            {options.map((listing) => (
              <option key={listing.id} value={String(listing.id)}>
                {`${listingText(listing)} (${listing.xmltvId}, ${listing.source})`}
              </option>
            ))}
          </NativeSelect>
        </Field>
        <Field
          id={`${id}-shift`}
          label="Shift in minutes"
          hint="Added to the times, for sources that give local time as UTC. For example 60 or -300."
          error={isShift ? undefined : 'Please enter whole minutes from -1,440 to 1,440'}
        >
          <Input value={shift} onChange={({ target }) => setShift(target.value)} inputMode="text" maxLength={5} />
        </Field>
      </form>
    </FormDialog>
  )
}

/** Keeps the chosen listings in the list even if the search does not find them. */
const withChosen = (found: readonly Listing[], chosen: Listing | null): readonly Listing[] =>
  chosen && !found.some(({ id }) => id === chosen.id) ? [chosen, ...found] : found
