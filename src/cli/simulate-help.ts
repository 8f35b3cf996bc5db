/** The end of `simulate --help`: what `/_sim` can do, and every choice made where the specification says nothing. */
export const simulateHelp = `
Control calls, below the root of the service and without a key
  POST   /_sim/advance                  {"seconds":3600}
                 Moves the clock forward; everything due in between happens.
  POST   /_sim/endpoints/{id}/connect   {"seconds":60}
                 A client connects: it wakes the endpoint and keeps it busy that long.
  POST   /_sim/projects                 {"name":"shop","branches":2,"profile":"quiet"}
                 A project appears: its branches, an endpoint each, the operations that made them.
                 Profiles: working-hours, bursty, nightly-cron, five-minute-cron, never-sleeping,
                 forgotten, ten-minute-cron, short-visits, quiet (no clients of its own, the
                 default), woken-by-checks (none either, but each check starts it).
  DELETE /_sim/projects/{id}
                 The project goes.
  POST   /_sim/projects/{id}/branches   {"name":"dev","endpoint":false}
                 A branch appears, with an endpoint unless that is false.
  POST   /_sim/projects/{id}/cpu        {"cpu_used_sec":0}
                 Sets the counter, for example a billing reset; up to 2^52.
  POST   /_sim/operations               {"project_id":"…","endpoint_id":"…","branch_id":"…",
                                         "action":"apply_config","status":"failed",
                                         "failures_count":3}
                 An operation appears, finished if no status is given; it changes no state.
                 An unfinished one (scheduling, running, cancelling) stays until this call ends it:
  POST   /_sim/operations/{id}          {"status":"finished","failures_count":2}
                 Sets an unfinished operation, one of the service's own with the effect its end has.
  POST   /_sim/faults                   {"match":"GET /projects/*/operations","status":429,
                                         "headers":{"retry-after":"3"},"body":"…","delay_ms":0,
                                         "close":false,"times":5}
                 The next calls that match go wrong, so many times or until cleared. See Faults.
  GET    /_sim/faults
                 Lists the faults that are left.
  DELETE /_sim/faults
                 Clears them.
  GET    /_sim/truth
                 What a client that missed nothing would have counted.
  With --api later besides:
  POST   /_sim/projects/{id}/unavailable {"unavailable":true}
                 The list leaves the project out and names it in unavailable_project_ids.
  DELETE /_sim/projects/{id}/branches/{branch_id}
                 A branch goes, with its endpoint; the root stays.
  POST   /_sim/projects/{id}/quota      {"active_time_seconds":1,"compute_time_seconds":2,
                                         "written_data_bytes":3,"data_transfer_bytes":4,
                                         "logical_size_bytes":5}
                 Sets the limits of the project for a period; those left out are none.
  POST   /_sim/projects/{id}/consumption {"root_branch_bytes":1,"child_branch_bytes":-2,
                                         "instant_restore_bytes":3,"snapshot_storage_bytes":4,
                                         "written_data_bytes":5,
                                         "public_network_transfer_bytes":6,
                                         "private_network_transfer_bytes":7}
                 Adds to what is stored, from the next full hour on, or to what is used now.
  POST   /_sim/plan                     {"plan":"scale"}
                 Changes the plan of the account: free, launch, scale or enterprise.
  GET    /_sim/truth/consumption        ?granularity=hourly, daily or monthly
                 All that is billed, without lag and as far back as the history goes.

  Only the fields shown are taken, others are 400. The calls answer on loopback only: 403 for a Host
  that is not loopback and for an Origin that is not their own, so that no web page can make them.

Faults
  match is METHOD /path below /api/v2, where * stands for any characters. The first one added that
  matches counts, before the key, the rate limit and the path are looked at.
  With a status, a body or close it is the answer itself: status 200 and an empty body if they are
  not given, content-type application/json if headers do not say otherwise, the body as it is, after
  delay_ms. close cuts the connection: before the answer, or after half of the body if there is one.
  Without the three the real answer comes, after delay_ms and with the headers, which win over its
  own. Header values are strings; content-length and transfer-encoding are refused.

Where the specification is silent
  Success        200; 201 for what was created.
  Errors         {"request_id","code","message"}: 400 malformed, 404 unknown id or path, 405 other
                 method (with Allow), also for HEAD, 409 the branch already has an endpoint,
                 413 a body above 1,000,000 bytes. The key is checked before all but faults.
                 An id left out (GET /api_keys/) is an unknown path; doubled slashes are forgiven.
  Bodies         JSON, or a form with brackets: endpoint[branch_id]=…&endpoint[type]=read_write.
  Keys           The scheme may be written in any case (bearer). Names may repeat. Revoking twice is
                 404. A key that was never used has last_used_at null and an empty address.
                 last_used_from_addr is the address of the connection, or the whole of
                 X-Forwarded-For if that is sent.
  Endpoints      Attributes besides branch_id and type have the names of the response fields, and
                 suspend_timeout_seconds. Others are ignored; nothing to change is 400. type may be
                 left out. One size alone is a fixed size. Sizes are multiples of 0.25 CU; the
                 smallest is the default. Breaking a size or plan rule is 400.
                 A changed setting starts apply_config.
                 An update always shows pending_state: where it goes, or the state it stays in.
                 Moving to the branch it is on changes nothing. Moving an idle one again before the
                 first move is finished answers as the first did. Moving one that is not idle, or
                 that is just waking, starts apply_config alone and keeps its clients.
                 Deleting an unknown one is 404.
                 disabled true suspends to stopped; clients cannot wake it; disabled false makes it
                 idle. last_active of one that never was is its creation.
  Operations     limit is 1 to 1000, otherwise 400, as for a malformed cursor. The cursor is a
                 microsecond of its own per operation: pages neither lose nor repeat any.
                 Only an empty page has no pagination.
  Projects       limit (up to 400, more is cut) and cursor (last id) page the list, which is in the
                 order of ids. Without them it is whole and unpaged, but for --page-projects.
  Rate limit     429 with Retry-After in seconds, counted per account in wall-clock minutes.
  Checks         check_availability leaves a sleeping endpoint asleep, but for the profile
                 woken-by-checks: there it starts it, and nobody uses it.
  Clock          Everything happens on whole seconds; the Date header tells the virtual time.

Later versions (--api later)
  The contract stays as it is, and answers have more fields: all of them are optional, and some
  objects lack some. POST /api_keys answers 200.
  Projects       GET /projects takes org_id, limit (1 to 400, otherwise 400; 10 if left out),
                 cursor, search (a part of the name or id) and timeout (milliseconds, no effect).
                 GET /projects/{id} adds what was used in the present period: a calendar month, at
                 whose end these, active_time and cpu_used_sec begin at 0 again.
                 With --list-deleted the list has deleted projects for a week, with deleted_at and
                 recoverable_until; all other calls on them are 404.
  Branches       GET /projects/{id}/branches is whole and unpaged. One child branch in four has
                 expires_at, and stays when that is over.
  Organisations  Projects are dealt out to those of --org. A key of a person must name one (400
                 otherwise, also for several of --org at once), one of an organisation need not. A
                 foreign one is 404. Without --org the projects are those of a person.
  Quotas         One project in twelve has a limit of compute time. Limits are looked at on full
                 hours. Once one is reached, the service suspends the endpoints of the project, and
                 clients cannot wake them until the period ends or the quota is set anew.
  Storage        A root branch keeps a quarter of the bytes that its clients write, a child branch
                 half of them. A restore keeps all of them for history_retention_seconds.
  Consumption    GET /consumption_history/v2/projects and, of the version before,
                 GET /consumption_history/projects take from, to, granularity (these three must be
                 there), org_id, limit (1 to 100; 10 if left out), cursor, project_ids (up to 100)
                 and, the newer one, metrics; lists with commas or one by one. from and to go back
                 to the beginning of their timeframe; to itself is left out.
                 400 malformed, 403 on the free plan, 404 a foreign organisation, 406 from is
                 longer ago than 168 hours, 60 days or a year, and 429 with Retry-After beyond a
                 limit of their own, by a token bucket in wall-clock time.
                 Deleted projects are there with what they had used. What was not used is left
                 out: metrics that are 0, and timeframes without any.
  Timeframes     An hour is told a little at first, then more and more, and all of it when the lag
                 is over after its end: half of the lag or less for compute and transfer.
  Periods        A calendar month, parted where the plan changes: from the next full hour on. A day
                 or month in which it does is whole in both periods, each with its part of the use.
                 What the plan allows changes at once. Time on the free plan is not told.
  Units          What is stored when an hour begins counts for the whole hour; a byte-month is a
                 byte for all hours of the calendar month. Parts of a unit are carried on from hour
                 to hour and dropped at the end of the month: so hours add up to days and days to
                 months, exactly. With --metered-in hour the values are byte-hours and branch-hours
                 of all child branches, as live services have them under the same names; they bill
                 744 hours as a month, and leave the allowance of branches to the client.
  Truth          Has besides what was billed by project, in all and by period, the limits with how
                 often and when they were reached, and the plans.

As seen on live services, on request: --page-projects, --pending-in-lists, and faults.
`;
