-- wrk sends the requests of a file, each with its length on the line before it. With
-- "once" a request is never sent twice: when all are sent, the run ends early and says how long it took.
local ffi = require('ffi')
ffi.cdef [[ typedef struct { long s; long ns; } moment; int clock_gettime(int clock, moment *at); ]]
local at = ffi.new('moment')
local function now()
  ffi.C.clock_gettime(1, at)
  return tonumber(at.s) + tonumber(at.ns) / 1e9
end

local threads = {}
function setup(thread)
  threads[#threads + 1] = thread
end

function init(args)
  requests, once, place, began, ended = {}, args[2] == 'once', 0, 0, 0
  local file = assert(io.open(args[1], 'rb'))
  while true do
    local length = file:read('*n')
    if length == nil then break end
    file:read(1)
    requests[#requests + 1] = file:read(length)
  end
  file:close()
end

function request()
  if place == 0 then began = now() end
  if place == #requests then
    if once then
      if ended == 0 then ended = now() end
      wrk.thread:stop()
    end
    place = 0
  end
  place = place + 1
  return requests[place]
end

function done(summary, latency)
  local took = summary.duration / 1e6
  local thread = threads[1]
  if thread:get('ended') > 0 then took = thread:get('ended') - thread:get('began') end
  local errors = summary.errors
  print(string.format(
    'RESULT {"requests":%d,"seconds":%.4f,"bytes":%d,"p50":%.3f,"p95":%.3f,"p99":%.3f,"refused":%d,"broken":%d}',
    summary.requests, took, summary.bytes, latency:percentile(50) / 1000, latency:percentile(95) / 1000,
    latency:percentile(99) / 1000, errors.status, errors.connect + errors.read + errors.write + errors.timeout))
end
