/** The headers of a delivery (Standard Webhooks 1.0). */
export const eventHeaders = [
  {
    name: 'webhook-id',
    in: 'header',
    required: true,
    description:
      'The id of the event, the same in every attempt and replay. Use it to detect duplicates.',
    schema: { type: 'string', pattern: '^evt_[0-9a-f]{24}$' },
    example: 'evt_5d0c5b1f3c5e4fb2a1d0c9e7',
  },
  {
    name: 'webhook-timestamp',
    in: 'header',
    required: true,
    description:
      'The time of the attempt, in seconds since 1970. Reject requests that are more than five minutes off.',
    schema: { type: 'string', pattern: '^\\d+$' },
    example: '1795334400',
  },
  {
    name: 'webhook-signature',
    in: 'header',
    required: true,
    description:
      'One or more signatures, separated by spaces: HMAC-SHA256 over `<webhook-id>.<webhook-timestamp>.<body>` in base64. The key is the base64-decoded part of the secret after `whsec_`. One valid signature is enough.',
    schema: { type: 'string', pattern: '^v1,[A-Za-z0-9+/]{43}=( v1,[A-Za-z0-9+/]{43}=)*$' },
    example: 'v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4=',
  },
];
