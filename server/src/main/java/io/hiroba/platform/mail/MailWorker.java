package io.hiroba.platform.mail;

import io.hiroba.platform.db.Db;
import io.hiroba.platform.db.DbException;
import io.hiroba.platform.id.Ids;
import io.hiroba.platform.task.RetentionSweep;
import io.hiroba.platform.task.WakeSignal;
import io.hiroba.platform.task.WorkLoop;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Sends queued mails: claims one, sends it outside any transaction, records the outcome, claims the next. */
final class MailWorker implements AutoCloseable {

    private static final Logger log = LoggerFactory.getLogger(MailWorker.class);

    /** Longer than a delivery can take: until a claim expires, no other node sends the mail. */
    static final Duration LEASE = Duration.ofMinutes(5);

    private static final List<Duration> RETRY_DELAYS =
            List.of(Duration.ofMinutes(1), Duration.ofMinutes(5), Duration.ofMinutes(15), Duration.ofMinutes(60));
    private static final int MAX_ATTEMPTS = 1 + RETRY_DELAYS.size();
    private static final Duration RECORD_INTERVAL = Duration.ofSeconds(1);
    private static final Duration SWEEP_INTERVAL = Duration.ofMinutes(10);
    private static final Duration RETENTION = Duration.ofDays(7);
    private static final Duration RECORD_TIMEOUT = Duration.ofSeconds(30);

    /** Two, so that one slow delivery does not block the others. */
    private static final int SENDERS = 2;

    private static final int MAX_ERROR_LENGTH = 500;

    private final Db db;
    private final MailStore store;
    private final MailTransport transport;
    private final Counter sent;
    private final Counter failed;
    private final WakeSignal signal = new WakeSignal();
    private final WorkLoop senders;
    private final WorkLoop retention;

    MailWorker(Db db, MailStore store, MailTransport transport, MeterRegistry meters, Duration poll) {
        this.db = db;
        this.store = store;
        this.transport = transport;
        this.sent = Counter.builder("hiroba.mails.sent")
                .description("Mails that this node handed over")
                .register(meters);
        this.failed = Counter.builder("hiroba.mails.failed")
                .description("Mails that this node gave up")
                .register(meters);
        this.senders = WorkLoop.whenSignalled("mail sender", SENDERS, signal, poll, this::sendOne);
        this.retention = WorkLoop.every(SWEEP_INTERVAL, "mail retention", this::sweep);
    }

    void wake() {
        signal.raise();
    }

    /** Whether there may be more to send at once. */
    private boolean sendOne() {
        var claimed = db.inTransaction(tx -> store.claim(tx, LEASE));
        claimed.ifPresent(this::send);
        return claimed.isPresent();
    }

    private void send(QueuedMail mail) {
        if (mail.expired()) {
            giveUp(mail, "it was not sent while it was of use");
            return;
        }
        if (mail.attempt() > MAX_ATTEMPTS) {
            giveUp(mail, "every process that tried to send it ended before it was done");
            return;
        }
        try {
            transport.deliver(mail);
        } catch (MailTransportException e) {
            recordFailure(mail, e.isPermanent(), String.valueOf(e.getMessage()), e);
            return;
        } catch (RuntimeException e) {
            recordFailure(mail, false, e.toString(), e);
            return;
        }
        recordSent(mail);
    }

    /** Only this record keeps the sent mail from being sent again, so it is retried while the database is unavailable. */
    private void recordSent(QueuedMail mail) {
        long giveUp = System.nanoTime() + RECORD_TIMEOUT.toNanos();
        while (true) {
            try {
                if (db.inTransaction(tx -> store.sent(tx, mail, transport.keepsText()))) {
                    sent.increment();
                }
                return;
            } catch (DbException e) {
                if (System.nanoTime() > giveUp) {
                    throw e;
                }
                LockSupport.parkNanos(RECORD_INTERVAL.toNanos());
            }
        }
    }

    private void recordFailure(QueuedMail mail, boolean permanent, String reason, Exception cause) {
        var clean = reason.replace("\0", "");
        var error = clean.length() > MAX_ERROR_LENGTH ? clean.substring(0, MAX_ERROR_LENGTH) : clean;
        var id = Ids.hex(mail.id());
        if (permanent || mail.attempt() >= MAX_ATTEMPTS) {
            giveUp(mail, error);
        } else {
            var pause = RETRY_DELAYS.get(mail.attempt() - 1);
            db.useTransaction(tx -> store.retry(tx, mail, pause, error));
            signal.raiseAlsoIn(pause);
            log.info("mail {} was not sent at attempt {}, next in {}: {}", id, mail.attempt(), pause, error);
        }
        log.debug("mail {}", id, cause);
    }

    private void giveUp(QueuedMail mail, String error) {
        db.useTransaction(tx -> store.failed(tx, mail, error));
        failed.increment();
        log.warn("mail {} is given up at attempt {}: {}", Ids.hex(mail.id()), mail.attempt(), error);
    }

    /** Blanks mails that are of no use any more, and deletes old ones. */
    int sweep() {
        RetentionSweep.run(size -> db.inTransaction(tx -> store.blankExpired(tx, size)));
        int swept = RetentionSweep.run(size -> db.inTransaction(tx -> store.sweep(tx, RETENTION, size)));
        transport.sweep(RETENTION);
        return swept;
    }

    /** Lets running deliveries finish; one that takes longer is sent again when its claim expires. */
    @Override
    public void close() {
        senders.stop();
        retention.close();
        senders.close();
    }
}
