import { useRouter } from '@tanstack/react-router'
import { Eye } from 'lucide-react'
import { useEffect, useState } from 'react'
import { stopViewing } from '#features/impersonation/contract.ts'
import { messageOf } from '#kit/caller.ts'
import { useSend } from '../data.ts'
import { Button } from '../ui/button/button.tsx'
import { toast } from '../ui/toast/toast.ts'

interface Props {
  username: string
  until: string
}

/** Shown on every page while an administrator views the site as a customer. */
export function ViewingBanner({ username, until }: Props) {
  const router = useRouter()
  const { mutate, isPending } = useSend(stopViewing)
  const [left, setLeft] = useState<number>()
  const stop = () =>
    mutate({} as never, {
      // Loads a new document, so that no data of the customer stays in memory.
      onSuccess: ({ userId, signedIn }) =>
        void router.navigate({
          href: signedIn ? (userId === null ? '/admin' : `/admin/users/${userId}`) : '/auth?redirect=%2Fadmin',
          reloadDocument: true,
        }),
      onError: (error) =>
        toast({ title: 'Failed to stop viewing', description: messageOf(error), variant: 'destructive' }),
    })
  useEffect(() => {
    const tick = () => setLeft(Math.max(0, Math.ceil((Date.parse(until) - Date.now()) / 60_000)))
    tick()
    const timer = setInterval(tick, 10_000)
    return () => clearInterval(timer)
  }, [until])
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs once, when the time is up
  useEffect(() => {
    if (left === 0) stop()
  }, [left === 0])

  return (
    <aside aria-label="Viewing as a customer" className="viewing">
      <div className="wrap">
        <Eye size={18} aria-hidden="true" />
        <p>
          You are viewing the site as <strong>{username}</strong>
          <span className="viewing-more">. Nothing can be changed{left !== undefined && `, ${left} min left`}.</span>
        </p>
        <Button variant="ink" size="sm" pending={isPending} onClick={stop}>
          Stop Viewing
        </Button>
      </div>
    </aside>
  )
}
