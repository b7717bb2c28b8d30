package io.hiroba.platform.mail;

import java.time.Duration;

/** A transport of mail. */
interface MailTransport {

    /** Hands the mail over; when this returns, it is out. Doing it again for the same mail must be harmless. */
    void deliver(QueuedMail mail) throws MailTransportException;

    /** Whether what the mail says stays readable for administrators once it is out. */
    boolean keepsText();

    /** Removes what was written longer ago than {@code age}, where anything was. */
    void sweep(Duration age);
}
