import { useQueryClient } from '@tanstack/react-query'
import { QrCode as QrIcon } from 'lucide-react'
import { lazy, Suspense, useEffect, useState } from 'react'
import { messageOf } from '#kit/caller.ts'
import { query, useSend } from '#web/data.ts'
import { Button } from '#web/ui/button/button.tsx'
import { Skeleton } from '#web/ui/skeleton.tsx'
import { toast } from '#web/ui/toast/toast.ts'
import { createLineLink, getOwnLine, type OwnLine } from '../contract.ts'
import { linkMinutes } from '../rules.ts'

const QrCode = lazy(() => import('#web/ui/qr-code.tsx').then((module) => ({ default: module.QrCode })))

/** A QR code that opens the login once on another device. It is created on request and can be replaced after it was used or has expired. */
export function LineCode({ line }: { line: OwnLine }) {
  const client = useQueryClient()
  const create = useSend(createLineLink)
  const [link, setLink] = useState<{ token: string; until: string }>()
  useEffect(() => {
    if (!link) return
    const timer = setTimeout(() => setLink(undefined), linkMinutes * 60_000)
    return () => clearTimeout(timer)
  }, [link])
  const isUsed = link !== undefined && line.linkUntil !== link.until
  const show = () =>
    create.mutate(
      {},
      {
        onSuccess: (created) => {
          client.setQueryData(query(getOwnLine).queryKey, (now) => now && { ...now, linkUntil: created.until })
          setLink(created)
        },
        onError: (failure) => toast({ title: 'No Code', description: messageOf(failure), variant: 'destructive' }),
        onSettled: () => create.reset(),
      },
    )
  return (
    <div className="line-code">
      {link && !isUsed ? (
        <div className="rounded-md border bg-white p-1">
          <Suspense fallback={<Skeleton className="aspect-square" />}>
            <QrCode text={`${location.origin}/tv-login#token=${link.token}`} label="QR code of your TV login" />
          </Suspense>
        </div>
      ) : (
        <Button variant="line" size="sm" pending={create.isPending} onClick={show}>
          <QrIcon size={18} />
          {isUsed ? 'Show New QR Code' : 'Show QR Code'}
        </Button>
      )}
      <p className="text-sm" role="status">
        {isUsed
          ? 'The code was used: your login is on the other device.'
          : `Scan ${link ? 'it' : 'a code'} with the phone or box you set up. It works once, for ${linkMinutes} minutes.`}
      </p>
    </div>
  )
}
