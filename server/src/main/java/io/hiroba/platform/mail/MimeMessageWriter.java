package io.hiroba.platform.mail;

import io.hiroba.platform.id.Ids;
import jakarta.mail.Message.RecipientType;
import jakarta.mail.internet.InternetAddress;
import java.util.Date;
import org.simplejavamail.api.email.Email;
import org.simplejavamail.api.email.Recipient;
import org.simplejavamail.email.EmailBuilder;

/** Writes a mail as a MIME message. */
final class MimeMessageWriter {

    private MimeMessageWriter() {}

    static Email write(QueuedMail queued, InternetAddress from) {
        var mail = queued.mail();
        var letter = EmailBuilder.startingBlank()
                .fixingMessageId(messageId(queued.id(), from))
                .fixingSentDate(Date.from(queued.queuedAt()))
                .from(new Recipient(from.getPersonal(), from.getAddress(), null))
                .withRecipient(new Recipient(null, mail.to(), RecipientType.TO))
                .withSubject(mail.subject())
                .withPlainText(mail.text())
                .withHeader("Auto-Submitted", "auto-generated");
        if (mail.html() != null) {
            letter.withHTMLText(mail.html());
        }
        if (mail.listUnsubscribe() != null) {
            letter.withHeader("List-Unsubscribe", "<" + mail.listUnsubscribe() + ">");
            if (mail.listUnsubscribe().startsWith("https:")) {
                letter.withHeader("List-Unsubscribe-Post", "List-Unsubscribe=One-Click");
            }
        }
        return letter.buildEmail();
    }

    /** The same at each attempt, so that a mail sent twice is recognised as one. */
    static String messageId(long id, InternetAddress from) {
        return "<%s@%s>".formatted(Ids.hex(id), MailAddress.domain(from.getAddress()));
    }
}
