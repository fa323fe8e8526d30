-- Atomic lookup: reads the client of the key, its context and the verdict, and appends the row.
-- Arguments: digest of the key, context, address, idempotency key (optional).
local key, context, address, claim = unpack(ARGV)
local client = redis.call('HGET', 'clients', key)
if not client then return { 'unknown key' } end
if redis.call('HGET', 'contexts', context) ~= client then return { 'unknown context' } end
local rows = 'usage:' .. client
local claimed = claim ~= '' and 'claim:' .. client .. ':' .. claim
local first = claimed and redis.call('GET', claimed)
if first then
  local row = redis.call('XRANGE', rows, first, first)[1][2]
  if row[2] ~= context or row[4] ~= address then return { 'key reused' } end
  return { 'row', first, row[6], row[8] }
end
local verdict = redis.call('HGET', 'verdicts:' .. context, address) or '0 0'
local is_bot, score = string.match(verdict, '(%S+) (%S+)')
local seq = redis.call('XLEN', rows) + 1
redis.call('XADD', rows, seq .. '-0', 'context', context, 'address', address, 'is_bot', is_bot, 'score', score,
  'at', redis.call('TIME')[1])
if claimed then redis.call('SET', claimed, seq .. '-0') end
return { 'row', seq .. '-0', is_bot, score }
