import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { caller } from '#kit/caller.ts'
import type { AnyEndpoint, Input, Output } from '#kit/endpoint.ts'

type OnSent = (percent: number) => void

/** Sends a request with XMLHttpRequest, because `fetch` does not report how much of a body was sent. Rejects like `fetch` if the connection fails. */
const sendBy = (onSent: OnSent) => (url: string, init: RequestInit) =>
  new Promise<Response>((resolve, reject) => {
    const request = new XMLHttpRequest()
    request.open(init.method ?? 'POST', url)
    for (const [name, value] of Object.entries(init.headers as Record<string, string>))
      request.setRequestHeader(name, value)
    request.upload.onprogress = ({ loaded, total }) => onSent(total > 0 ? Math.floor((loaded / total) * 100) : 0)
    request.onload = () => resolve(new Response(request.responseText || null, { status: request.status }))
    request.onerror = () => reject(new TypeError('The request failed'))
    request.onabort = request.onerror
    request.send(init.body as XMLHttpRequestBodyInit)
  })

/** Like `useSend`, for an endpoint that takes a file. `sentPercent` is how much of the file was sent, from 0 to 100; after that, the server processes it. */
export function useUpload<E extends AnyEndpoint & { method: 'POST' }>(endpoint: E, refreshes: AnyEndpoint[] = []) {
  const client = useQueryClient()
  const [sentPercent, setSentPercent] = useState(0)
  const mutation = useMutation({
    mutationKey: [endpoint.id],
    mutationFn: (input: Input<E>): Promise<Output<E>> => {
      setSentPercent(0)
      return caller(sendBy(setSentPercent))(endpoint, input)
    },
    onSuccess: () => Promise.all(refreshes.map(({ id }) => client.invalidateQueries({ queryKey: [id] }))),
  })
  return { ...mutation, sentPercent }
}
