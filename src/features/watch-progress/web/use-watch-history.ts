import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { messageOf } from '#kit/caller.ts'
import { query, useSend } from '#web/data.ts'
import { announce } from '#web/ui/announce.ts'
import { toast } from '#web/ui/toast/toast.ts'
import {
  clearWatchProgress,
  listWatchProgress,
  removeWatchProgress,
  setWatchHistory,
  type WatchProgress,
} from '../contract.ts'

const fail = (error: unknown) =>
  toast({ title: 'Nothing was changed', description: messageOf(error), variant: 'destructive' })

/** Returns the watch history of the customer and functions that change it. The history is fetched again whenever a component with this hook is mounted. */
export function useWatchHistory() {
  const { data, error, isFetching, refetch } = useQuery({ ...query(listWatchProgress), refetchOnMount: 'always' })
  const remove = useSend(removeWatchProgress, [listWatchProgress])
  const clear = useSend(clearWatchProgress, [listWatchProgress])
  const set = useSend(setWatchHistory, [listWatchProgress])
  // Set in the event handler: the mutation becomes pending one task later, and the checkbox would show the old value until then.
  const [asked, setAsked] = useState<boolean>()
  return {
    history: data,
    error,
    isFetching,
    refetch,
    /** While a change is sent: the requested value. */
    isKept: asked ?? data?.isKept ?? true,
    isPending: clear.isPending || asked !== undefined,
    remove: ({ kind, ref, title }: WatchProgress, onFail: () => void) =>
      remove.mutate(
        { params: { kind, ref } },
        {
          onSuccess: () => announce(`${title} removed`),
          onError: (failure) => {
            onFail()
            fail(failure)
          },
        },
      ),
    clear: (onDone: () => void) =>
      clear.mutate({} as never, {
        onSuccess: () => {
          announce('Continue Watching is empty')
          onDone()
        },
        onError: fail,
      }),
    setKept: (isKept: boolean, onDone: () => void) => {
      setAsked(isKept)
      set.mutate(
        { body: { isKept } },
        {
          onSuccess: () => {
            toast({ title: isKept ? 'Watch history turned on' : 'Watch history turned off' })
            onDone()
          },
          onError: fail,
          onSettled: () => setAsked(undefined),
        },
      )
    },
  }
}
