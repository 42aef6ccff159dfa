import { redisScript } from '../platform/redis/script.ts';
import { windowSeconds } from './recent-requests.ts';

/**
 * What is counted in Redis, by scripts that run there as one step and go by Redis's own clock.
 *
 * Three keys. The minute of an API key is a list of slices of a tenth of a second, the oldest first, each
 * `<moment of its last request>:<requests up to and with it>`; the first is the newest that has ended, so
 * that a count is a difference. The month of an API key is a number. The generation is a word that is gone
 * when Redis has lost its memory: whoever remembers another one tells what it knows (see `syncCounts`).
 */

const open = `
local clock = redis.call('TIME')
local now = clock[1] * 1000 + math.floor(clock[2] / 1000)
local windowMs = ${windowSeconds * 1_000}
local minute, month, generation = KEYS[1], KEYS[2], KEYS[3]

local function read(entry)
  local at, sum = string.match(entry, '^(%d+):(%d+)$')
  return tonumber(at), tonumber(sum)
end

local function write(at, sum)
  return string.format('%.0f:%.0f', at, sum)
end

-- What a clock that was set back by more than a second says of the past means nothing.
local newestAt, newestSum = read(redis.call('LINDEX', minute, -1) or '0:0')
if newestAt > now + 1000 then
  redis.call('DEL', minute)
  newestAt, newestSum = 0, 0
elseif newestAt > now then
  now = newestAt
end

-- Ended slices go, but for the newest of them.
local baseSum = 0
local length = redis.call('LLEN', minute)
if length > 0 then
  local _, first = read(redis.call('LINDEX', minute, 0))
  baseSum = first
  while length > 1 do
    local at, sum = read(redis.call('LINDEX', minute, 1))
    if at + windowMs > now then break end
    redis.call('LPOP', minute)
    length, baseSum = length - 1, sum
  end
end
local count = newestSum - baseSum

local function add(requests)
  local sum = newestSum + requests
  if length == 0 then length = redis.call('RPUSH', minute, '0:0') end
  if length > 1 and math.floor(newestAt / 100) == math.floor(now / 100) then
    redis.call('LSET', minute, -1, write(now, sum))
  else
    length = redis.call('RPUSH', minute, write(now, sum))
  end
  newestAt, newestSum, count = now, sum, count + requests
  redis.call('PEXPIRE', minute, windowMs + 1000)
end

-- Milliseconds until fewer than this many count.
local function waitFor(limit)
  local left, at = count, 1
  while left >= limit and at < length do
    local endsAt, sum = read(redis.call('LINDEX', minute, at))
    left = newestSum - sum
    if left < limit then return endsAt + windowMs - now end
    at = at + 1
  end
  return 0
end
`;

/**
 * Charges a request, or says why not; a refused one costs nothing.
 *
 * Values: rate limit and quota (-1 for none), begin and end of the month that is meant, the generation that
 * is known, and 1, or 0 for only looking. Answers `[kind, now, requests in the minute, in the month, wait]`.
 */
export const chargeCounts = redisScript(`${open}
local rateLimit, quota = tonumber(ARGV[1]), tonumber(ARGV[2])
if now < tonumber(ARGV[3]) or now >= tonumber(ARGV[4]) then return {'otherMonth', now} end
local used = redis.call('GET', month)
if not used or redis.call('GET', generation) ~= ARGV[5] then return {'unsynced', now} end
used = tonumber(used)
if ARGV[6] == '0' then return {'counted', now, count, used, waitFor(1)} end
if rateLimit >= 0 and count >= rateLimit then
  return {'rateLimited', now, count, used, waitFor(rateLimit)}
end
if quota >= 0 and used >= quota then return {'quotaExceeded', now, count, used, 0} end
add(1)
return {'charged', now, count, redis.call('INCR', month), 0}
`);

/**
 * Tells Redis what one process knows of an API key, and raises the month to it.
 *
 * Values: the generation that is known and a new one, in case that there is none; requests of the last minute
 * that Redis was not told of, and all of the last minute, in case that it has forgotten them; requests of the
 * month, at least; when the month may be forgotten. Answers the generation.
 */
export const syncCounts = redisScript(`${open}
local known = redis.call('GET', generation)
if not known then
  known = ARGV[2]
  redis.call('SET', generation, known)
end
local requests = tonumber(known == ARGV[1] and ARGV[3] or ARGV[4])
if requests > 0 then add(requests) end
if tonumber(redis.call('GET', month) or -1) < tonumber(ARGV[5]) then
  redis.call('SET', month, ARGV[5])
end
redis.call('PEXPIREAT', month, ARGV[6])
return known
`);
