import { redisScript } from '../../platform/redis/script.ts';
import { windowSeconds } from './sliding-window.ts';

/**
 * Charges requests of one or several API keys in Redis, by Redis's clock, as one step.
 *
 * Three Redis keys. The minute of an API key is a list of slices of a tenth of a second, the oldest first, each
 * `<moment of its last request>:<requests up to and with it>`; the first is the newest that has ended, so that a
 * count is a difference. The month of an API key is a number. The generation is a random word; it is missing if
 * Redis has lost its data.
 *
 * Keys: the generation, then minute and month of each API key. Values: the generation that the caller knows and a
 * new one, in case that there is none; then for each API key
 * - rate limit and quota, -1 for none;
 * - requests that are to be added to the minute first, because they were admitted without Redis;
 * - requests of the month that are known from elsewhere: the month is raised to them, never lowered;
 * - requests to charge, and what each of them costs in the minute and in the month: 0 and 0 charge nothing.
 *
 * Answers the generation, and changes nothing, if it is not the one that the caller knows. Else answers for each API
 * key `[kind, now, requests in the minute, in the month, wait, charged]`, as if its requests came one after the
 * other; `kind` is that of the requests that were not charged, if there are any.
 */
export const chargeCounts = redisScript(`
local clock = redis.call('TIME')
local clockMs = clock[1] * 1000 + math.floor(clock[2] / 1000)
local windowMs = ${windowSeconds * 1_000}
local monthMs = 40 * 86400000
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

  -- After a clock was set back by more than a second, the moments of earlier requests mean nothing.
  newestAt, newestSum = read(redis.call('LINDEX', minute, -1) or '0:0')
  if newestAt > now + 1000 then
    redis.call('DEL', minute)
    newestAt, newestSum = 0, 0
  elseif newestAt > now then
    now = newestAt
  end

  -- Removes slices that have ended, but for the newest of them.
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

-- Milliseconds until fewer requests than this count.
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

local function raise(month, known)
  local used = tonumber(redis.call('GET', month) or -1)
  if used >= known then return used end
  redis.call('SET', month, known, 'PX', monthMs)
  return known
end

local function charge(month, rateLimit, quota, unreported, known, requests, ofRate, ofQuota)
  if unreported > 0 then add(unreported) end
  local used = raise(month, known)
  if ofRate == 0 and ofQuota == 0 then return {'counted', now, count, used, waitFor(1), 0} end
  local charged = requests
  if rateLimit >= 0 and ofRate > 0 then
    charged = math.min(charged, math.floor((rateLimit - count) / ofRate))
  end
  if quota >= 0 and ofQuota > 0 then
    charged = math.min(charged, math.floor((quota - used) / ofQuota))
  end
  charged = math.max(charged, 0)
  if charged > 0 then
    if ofRate > 0 then add(charged * ofRate) end
    if ofQuota > 0 then used = redis.call('INCRBY', month, charged * ofQuota) end
  end
  if charged == requests then return {'charged', now, count, used, 0, charged} end
  if rateLimit >= 0 and ofRate > 0 and count + ofRate > rateLimit then
    local wait = waitFor(math.max(1, rateLimit - ofRate + 1))
    return {'rateLimited', now, count, used, wait, charged}
  end
  return {'quotaExceeded', now, count, used, 0, charged}
end

local generation = redis.call('GET', KEYS[1])
if not generation then
  generation = ARGV[2]
  redis.call('SET', KEYS[1], generation)
end
if generation ~= ARGV[1] then return generation end
local answers = {}
for n = 1, (#KEYS - 1) / 2 do
  local values = {}
  for at = 1, 7 do values[at] = tonumber(ARGV[2 + (n - 1) * 7 + at]) end
  open(KEYS[2 * n])
  answers[n] = charge(KEYS[2 * n + 1], unpack(values))
end
return answers
`);
