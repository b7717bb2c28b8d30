package io.hiroba.platform.mail;

import io.hiroba.platform.db.Db;
import io.hiroba.platform.db.DbException;
import io.hiroba.platform.id.Ids;
import io.hiroba.platform.task.WorkLoop;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.IntStream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Sends what is queued: claims one mail, sends it outside any transaction, notes the outcome, takes the next. */
final class MailWorker implements AutoCloseable {

    private static final Logger log = LoggerFactory.getLogger(MailWorker.class);

    /** Longer than a delivery can take: as long as a claim holds, nobody else sends the mail. */
    static final Duration LEASE = Duration.ofMinutes(5);

    private static final List<Duration> PAUSES =
            List.of(Duration.ofMinutes(1), Duration.ofMinutes(5), Duration.ofMinutes(15), Duration.ofMinutes(60));
    private static final int MOST_ATTEMPTS = 1 + PAUSES.size();
    private static final Duration POLL = Duration.ofSeconds(1);
    private static final Duration RETENTION = Duration.ofDays(7);
    private static final Duration PATIENCE = Duration.ofSeconds(30);
    /** Two, so that a server that keeps one waiting does not keep all waiting. */
    private static final int SENDERS = 2;

    private static final int SWEEP_BATCH = 1000;
    private static final int LONGEST_ERROR = 500;

    private final Db db;
    private final MailStore store;
    private final MailTransport delivery;
    private final Counter sent;
    private final Counter failed;
    private final Semaphore woken = new Semaphore(0);
    private final List<Thread> senders;
    private final WorkLoop upkeep;
    private volatile boolean closing;

    MailWorker(Db db, MailStore store, MailTransport delivery, MeterRegistry meters) {
        this.db = db;
        this.store = store;
        this.delivery = delivery;
        this.sent = Counter.builder("hiroba.mails.sent")
                .description("Mails that this node handed over")
                .register(meters);
        this.failed = Counter.builder("hiroba.mails.failed")
                .description("Mails that this node gave up")
                .register(meters);
        this.senders = IntStream.range(0, SENDERS)
                .mapToObj(n -> Thread.ofVirtual().name("mail sender " + n).unstarted(this::loop))
                .toList();
        senders.forEach(Thread::start);
        this.upkeep = WorkLoop.every(Duration.ofMinutes(10), "mail retention", this::sweep);
    }

    void wake() {
        woken.release();
    }

    private void loop() {
        try {
            while (!closing) {
                if (!sendOne()) {
                    woken.tryAcquire(POLL.toNanos(), TimeUnit.NANOSECONDS);
                }
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** Whether there may be more to send at once. */
    private boolean sendOne() {
        try {
            var claimed = db.inTransaction(tx -> store.claim(tx, LEASE));
            claimed.ifPresent(this::send);
            return claimed.isPresent();
        } catch (RuntimeException e) {
            log.warn("the mail queue cannot be worked on; trying again", e);
            return false;
        }
    }

    private void send(QueuedMail mail) {
        if (mail.expired()) {
            giveUp(mail, "it was not sent while it was of use");
            return;
        }
        if (mail.attempt() > MOST_ATTEMPTS) {
            giveUp(mail, "every process that tried to send it ended before it was done");
            return;
        }
        try {
            delivery.deliver(mail);
        } catch (MailTransportException e) {
            notSent(mail, e.isPermanent(), String.valueOf(e.getMessage()), e);
            return;
        } catch (RuntimeException e) {
            notSent(mail, false, e.toString(), e);
            return;
        }
        noteSent(mail);
    }

    /** The mail is out; only this note keeps it from going out again, so the database is given time to come back. */
    private void noteSent(QueuedMail mail) {
        long giveUp = System.nanoTime() + PATIENCE.toNanos();
        while (true) {
            try {
                if (db.inTransaction(tx -> store.sent(tx, mail, delivery.keepsText()))) {
                    sent.increment();
                }
                return;
            } catch (DbException e) {
                if (System.nanoTime() > giveUp) {
                    throw e;
                }
                LockSupport.parkNanos(POLL.toNanos());
            }
        }
    }

    private void notSent(QueuedMail mail, boolean permanent, String reason, Exception cause) {
        var clean = reason.replace("\0", "");
        var error = clean.length() > LONGEST_ERROR ? clean.substring(0, LONGEST_ERROR) : clean;
        var id = Ids.hex(mail.id());
        if (permanent || mail.attempt() >= MOST_ATTEMPTS) {
            giveUp(mail, error);
        } else {
            var pause = PAUSES.get(mail.attempt() - 1);
            db.useTransaction(tx -> store.retry(tx, mail, pause, error));
            log.info("mail {} was not sent at attempt {}, next in {}: {}", id, mail.attempt(), pause, error);
        }
        log.debug("mail {}", id, cause);
    }

    private void giveUp(QueuedMail mail, String error) {
        db.useTransaction(tx -> store.failed(tx, mail, error));
        failed.increment();
        log.warn("mail {} is given up at attempt {}: {}", Ids.hex(mail.id()), mail.attempt(), error);
    }

    /** Deletes what is past its time, in batches small enough that nobody waits for them. */
    int sweep() {
        int swept = 0;
        int batch;
        do {
            batch = db.inTransaction(tx -> store.sweep(tx, RETENTION, SWEEP_BATCH));
            swept += batch;
        } while (batch == SWEEP_BATCH);
        delivery.sweep(RETENTION);
        return swept;
    }

    @Override
    public void close() {
        closing = true;
        woken.release(SENDERS);
        upkeep.close();
        for (var sender : senders) {
            try {
                if (!sender.join(PATIENCE)) {
                    log.warn("{} did not stop within {}; its mail is sent again when its claim ends", sender, PATIENCE);
                }
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                return;
            }
        }
    }
}
