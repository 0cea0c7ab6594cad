import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { messageOf } from '#kit/caller.ts'
import { query, useSend } from '#web/data.ts'
import { Card } from '#web/ui/card.tsx'
import { Checkbox } from '#web/ui/form/checkbox.tsx'
import { Note } from '#web/ui/note.tsx'
import { toast } from '#web/ui/toast/toast.ts'
import { getNews, setNews } from '../contract.ts'

/** A card in which the customer turns news emails on or off. */
export function NewsCard() {
  const { data, error } = useQuery(query(getNews))
  const { mutate } = useSend(setNews, [getNews])
  // Set in the event handler: the mutation becomes pending one task later, and the checkbox would show the old value until then.
  const [sending, setSending] = useState<boolean>()
  const choose = (wanted: boolean) => {
    setSending(wanted)
    mutate(
      { body: { wanted } },
      {
        onSuccess: () =>
          toast({
            title: wanted ? 'News emails turned on' : 'News emails turned off',
            description: wanted ? 'Every news email has an unsubscribe link.' : 'You will no longer get news emails.',
          }),
        onError: (failure) =>
          toast({ title: 'Nothing was changed', description: messageOf(failure), variant: 'destructive' }),
        onSettled: () => setSending(undefined),
      },
    )
  }
  return (
    <Card title="News emails" titleId="news-title" className="mt-5">
      {error && !data ? (
        <Note tone="bad" role="alert">
          Your choice could not be loaded: {messageOf(error)}
        </Note>
      ) : (
        <>
          <Checkbox
            label="Email me about new channels, offers and other news"
            checked={sending ?? data?.wanted ?? false}
            disabled={!data || sending !== undefined}
            onChange={({ target }) => choose(target.checked)}
          />
          <p className="mt-2 text-sm text-fg-2">
            Emails about your orders, your subscription and the security of your account are always sent.
          </p>
          {data?.wanted && data.needsConfirmedEmail && (
            <Note tone="warn" className="mt-3">
              Please confirm your email address first: news is sent only to confirmed addresses.
            </Note>
          )}
        </>
      )}
    </Card>
  )
}
