import { redisScript } from '../../platform/redis/script.ts';
import { windowSeconds } from './sliding-window.ts';

/**
 * What is counted in Redis, by scripts that run there as one step and go by Redis's own clock.
 *
 * Three keys. The minute of an API key is a list of slices of a tenth of a second, the oldest first, each
 * `<moment of its last request>:<requests up to and with it>`; the first is the newest that has ended, so
 * that a count is a difference. The month of an API key is a number. The generation is a word that is gone
 * when Redis has lost its memory: whoever remembers another one tells what it knows (see `syncCounts`).
 */

const countsOfMinute = `
local clock = redis.call('TIME')
local clockMs = clock[1] * 1000 + math.floor(clock[2] / 1000)
local windowMs = ${windowSeconds * 1_000}
local minute, now, newestAt, newestSum, length, count

local function read(entry)
  local at, sum = string.match(entry, '^(%d+):(%d+)$')
  return tonumber(at), tonumber(sum)
end

local function write(at, sum)
  return string.format('%.0f:%.0f', at, sum)
end

local function open(key)
  minute, now = key, clockMs

  -- What a clock that was set back by more than a second says of the past means nothing.
  newestAt, newestSum = read(redis.call('LINDEX', minute, -1) or '0:0')
  if newestAt > now + 1000 then
    redis.call('DEL', minute)
    newestAt, newestSum = 0, 0
  elseif newestAt > now then
    now = newestAt
  end

  -- Ended slices go, but for the newest of them.
  local baseSum = 0
  length = redis.call('LLEN', minute)
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
  count = newestSum - baseSum
end

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
 * Charges requests of one or several API keys, each key's as if they came one after the other, or says why
 * not; a refused one costs nothing.
 *
 * Keys: the generation, then the minute and the month of each. Values for each: rate limit and quota (-1 for
 * none), begin and end of the month that is meant, the generation that is known, how many requests, or 0
 * for only looking, and how many each of them counts as. Answers for each `[kind, now, requests in the minute, in the month, wait, charged]`;
 * `kind` is that of the requests that were not charged, where there are any.
 */
export const chargeCounts = redisScript(`${countsOfMinute}
local known = redis.call('GET', KEYS[1])

local function charge(month, rateLimit, quota, startsAt, endsAt, generation, requests, cost)
  if now < startsAt or now >= endsAt then return {'otherMonth', now} end
  local used = redis.call('GET', month)
  if not used or known ~= generation then return {'unsynced', now} end
  used = tonumber(used)
  if requests == 0 then return {'counted', now, count, used, waitFor(1), 0} end
  local charged = requests
  if rateLimit >= 0 then charged = math.min(charged, math.floor((rateLimit - count) / cost)) end
  if quota >= 0 then charged = math.min(charged, math.floor((quota - used) / cost)) end
  charged = math.max(charged, 0)
  if charged > 0 then
    add(charged * cost)
    used = redis.call('INCRBY', month, charged * cost)
  end
  if charged == requests then return {'charged', now, count, used, 0, charged} end
  if rateLimit >= 0 and count + cost > rateLimit then
    local wait = waitFor(math.max(1, rateLimit - cost + 1))
    return {'rateLimited', now, count, used, wait, charged}
  end
  return {'quotaExceeded', now, count, used, 0, charged}
end

local answers = {}
for n = 1, (#KEYS - 1) / 2 do
  local at = (n - 1) * 7
  open(KEYS[2 * n])
  answers[n] = charge(KEYS[2 * n + 1], tonumber(ARGV[at + 1]), tonumber(ARGV[at + 2]),
    tonumber(ARGV[at + 3]), tonumber(ARGV[at + 4]), ARGV[at + 5], tonumber(ARGV[at + 6]), tonumber(ARGV[at + 7]))
end
return answers
`);

/**
 * Tells Redis what one process knows of an API key, and raises the month to it.
 *
 * Keys: the generation, the minute and the month. Values: the generation that is known and a new one, in case
 * that there is none; requests of the last minute that Redis was not told of, and all of the last minute, in
 * case that it has forgotten them; requests of the month, at least; when the month may be forgotten. Answers
 * the generation.
 */
export const syncCounts = redisScript(`${countsOfMinute}
local generation, month = KEYS[1], KEYS[3]
open(KEYS[2])
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
