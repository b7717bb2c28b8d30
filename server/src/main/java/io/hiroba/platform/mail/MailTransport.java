package io.hiroba.platform.mail;

import java.time.Duration;

/** A transport of mail. */
interface MailTransport {

    /** Sends the mail; a repeat for the same mail must be harmless. */
    void deliver(QueuedMail mail) throws MailTransportException;

    /** Whether the content of a sent mail stays readable for administrators. */
    boolean keepsText();

    /** Deletes files older than {@code age}, if the transport writes any. */
    void sweep(Duration age);
}
