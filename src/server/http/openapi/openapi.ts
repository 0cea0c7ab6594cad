import * as z from 'zod/mini'
import { scopesFor } from '#kit/api-keys.ts'
import type { Access, AnyEndpoint } from '#kit/endpoint.ts'
import { sessionCookieName } from '../request.ts'

/** A JSON Schema of dialect 2020-12, as OpenAPI 3.1 uses it. */
export type Schema = {
  [keyword: string]: unknown
  type?: string | string[]
  properties?: Record<string, Schema>
  required?: string[]
  items?: Schema
  anyOf?: Schema[]
}
export type Parameter = { name: string; in: 'path' | 'query'; required: boolean; schema: Schema }
type Media = { 'application/json': { schema: Schema } }
type Header = { description: string; schema: Schema }
export type ResponseObject = {
  description: string
  headers?: Record<string, Header>
  content?: { [type in 'application/json' | NonNullable<AnyEndpoint['file']> | 'text/html']?: { schema: Schema } }
}
export type Operation = {
  operationId: string
  summary: string
  description: string
  tags: string[]
  'x-access': Access
  security: Record<string, string[]>[]
  parameters?: Parameter[]
  requestBody?: {
    required: true
    content: { [type in 'application/json' | NonNullable<AnyEndpoint['upload']>]?: { schema: Schema } }
  }
  responses: Record<string, ResponseObject>
}
export type OpenApiDocument = {
  openapi: '3.1.0'
  info: { title: string; version: string; description: string }
  servers: { url: string }[]
  tags: { name: string }[]
  paths: Record<string, Record<string, Operation>>
  components: {
    schemas: Record<string, Schema>
    securitySchemes: {
      session: { type: 'apiKey'; in: 'cookie'; name: string; description: string }
      apiKey: { type: 'http'; scheme: 'bearer'; description: string }
    }
  }
}

const refusalSchema = z.object({
  message: z.string(),
  code: z.string(),
  issues: z.optional(z.array(z.object({ path: z.string(), message: z.string() }))),
  requestId: z.optional(z.string()),
})
const accessText: Record<Access, string> = {
  public: 'Public.',
  member: 'For signed-in users.',
  watcher: 'For signed-in users and their paired devices.',
  admin: 'For administrators only.',
}
const sections: Record<Access, string> = {
  public: 'Public',
  member: 'Account',
  watcher: 'Watching',
  admin: 'Administration',
}
const text: Schema = { type: 'string' }

/** Returns the OpenAPI 3.1 document of these endpoints. Throws if a contract uses a schema that JSON Schema cannot express. */
export function openapiDocument(
  endpoints: AnyEndpoint[],
  about: { title: string; version: string; url: string },
): OpenApiDocument {
  const paths: OpenApiDocument['paths'] = {}
  for (const endpoint of endpoints) {
    const path = endpoint.path.replace(/:(\w+)/g, '{$1}')
    paths[path] = { ...paths[path], [endpoint.method.toLowerCase()]: operationOf(endpoint) }
  }
  const cookie = sessionCookieName({ secureCookies: about.url.startsWith('https:') })
  return {
    openapi: '3.1.0',
    info: {
      title: about.title,
      version: about.version,
      description:
        'Amounts are integer cents of US dollars, times ISO 8601 in UTC. Writes are JSON. Programs send an API key as `Authorization: Bearer sauce_…`; writes without one must come from a page of this site. Every error has a message for people and a stable code.',
    },
    servers: [{ url: about.url }],
    tags: Object.values(sections).map((name) => ({ name })),
    paths,
    components: {
      schemas: { Error: schemaOf(refusalSchema, 'output') },
      securitySchemes: {
        session: { type: 'apiKey', in: 'cookie', name: cookie, description: 'Set by logging in or registering.' },
        apiKey: {
          type: 'http',
          scheme: 'bearer',
          description:
            'A key that an owner creates under Settings, API Keys. It acts for its creator and needs one of the permissions that the operation names. Cookies of a request with a key are not read.',
        },
      },
    },
  }
}

function operationOf(endpoint: AnyEndpoint): Operation {
  const parameters = [...parametersOf(endpoint.params, 'path'), ...parametersOf(endpoint.query, 'query')]
  return {
    operationId: operationIdOf(endpoint),
    summary: endpoint.summary,
    description: [
      accessText[endpoint.access],
      endpoint.access === 'admin' && keyText(scopesFor(endpoint)),
      endpoint.cacheSeconds && `The response may be cached for ${endpoint.cacheSeconds} seconds.`,
    ]
      .filter(Boolean)
      .join(' '),
    tags: [sections[endpoint.access]],
    'x-access': endpoint.access,
    security:
      endpoint.access === 'public'
        ? []
        : [{ session: [] }, ...scopesFor(endpoint).map((scope) => ({ apiKey: [scope] }))],
    ...(parameters.length > 0 && { parameters }),
    ...(endpoint.body && { requestBody: { required: true as const, content: bodyOf(endpoint) } }),
    responses: responsesOf(endpoint),
  }
}

const keyText = (scopes: readonly string[]): string =>
  scopes.length > 0 ? `API keys need ${scopes.join(' or ')}.` : 'API keys are refused.'

const textContent = <T extends string>(type: T) => ({ [type]: { schema: { type: 'string', contentMediaType: type } } })

const bodyOf = ({ upload, body }: AnyEndpoint) => (upload ? textContent(upload) : json(schemaOf(body!, 'input')))

function responsesOf(endpoint: AnyEndpoint): Record<string, ResponseObject> {
  const done: ResponseObject = {
    description: endpoint.summary,
    content: endpoint.file
      ? textContent(endpoint.file)
      : endpoint.document
        ? textContent('text/html')
        : json(schemaOf(endpoint.output, 'output')),
  }
  if (endpoint.paged)
    done.headers = {
      'X-Total-Count': { description: 'The number of rows on all pages', schema: { type: 'integer' } },
      'X-Total-Is-Minimum': {
        description: 'Present while the exact number is still being counted: X-Total-Count is then a lower bound',
        schema: { const: 'true' },
      },
      Link: {
        description: 'The first, previous, next and last page (RFC 8288); absent if there is only one page',
        schema: text,
      },
    }
  return {
    200: done,
    ...((endpoint.body || endpoint.query) && {
      400: refusalResponse('The request is invalid (`issues` lists the fields)'),
    }),
    ...(endpoint.access !== 'public' && {
      401: refusalResponse(
        endpoint.nullWhenSignedOut ? 'Not signed in' : 'Please log in first, or the API key is not valid',
      ),
    }),
    ...((endpoint.access === 'admin' || endpoint.method !== 'GET') && {
      403: refusalResponse('Not allowed for this user, or not sent from a page of this site'),
    }),
    ...(endpoint.params && { 404: refusalResponse('Not found, or not yours') }),
    ...((endpoint.limit || scopesFor(endpoint).length > 0) && {
      429: {
        ...refusalResponse('Too many attempts'),
        headers: { 'Retry-After': { description: 'Seconds to wait', schema: { type: 'integer' } } },
      },
    }),
    default: refusalResponse('Any other error'),
  }
}

function parametersOf(schema: AnyEndpoint['params'], where: Parameter['in']): Parameter[] {
  if (!schema) return []
  const { properties = {}, required = [] } = schemaOf(schema, 'input')
  return Object.entries(properties).map(([name, property]) => ({
    name,
    in: where,
    required: where === 'path' || required.includes(name),
    schema: property,
  }))
}

function schemaOf(schema: z.core.$ZodType, io: 'input' | 'output'): Schema {
  const { $schema: _, ...rest } = z.toJSONSchema(schema, { io, target: 'draft-2020-12' }) as Schema
  return rest
}

const json = (schema: Schema): Media => ({ 'application/json': { schema } })
const refusalResponse = (description: string): ResponseObject => ({
  description,
  content: json({ $ref: '#/components/schemas/Error' }),
})

/** `PUT /api/admin/users/:userId/reset-password` becomes `putAdminUsersUserIdResetPassword`. */
function operationIdOf({ method, path }: AnyEndpoint): string {
  const words = path.replace('/api/', '').split(/[^A-Za-z0-9]+/)
  return method.toLowerCase() + words.map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join('')
}
