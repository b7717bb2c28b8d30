package io.hiroba;

import io.hiroba.platform.db.Db;
import io.hiroba.platform.events.EventLog;
import io.hiroba.platform.http.Assets;
import io.hiroba.platform.http.ClientAddress;
import io.hiroba.platform.http.Cursors;
import io.hiroba.platform.http.EventStreams;
import io.hiroba.platform.http.HttpConfig;
import io.hiroba.platform.http.Idempotency;
import io.hiroba.platform.http.Throttle;
import io.hiroba.platform.id.IdGenerator;
import io.hiroba.platform.mail.Mailer;
import java.time.Clock;

/** What every feature is wired with. */
record Platform(
        Db db,
        IdGenerator ids,
        Clock clock,
        EventLog events,
        Mailer mailer,
        Throttle throttle,
        Idempotency idempotency,
        Cursors cursors,
        EventStreams streams,
        ClientAddress addresses,
        Assets assets,
        HttpConfig http) {}
