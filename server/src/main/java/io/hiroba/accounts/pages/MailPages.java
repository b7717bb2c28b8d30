package io.hiroba.accounts.pages;

import io.hiroba.accounts.AuditLog;
import io.hiroba.accounts.Caller;
import io.hiroba.platform.http.Routes;
import io.hiroba.platform.i18n.Reader;
import io.hiroba.platform.i18n.Text;
import io.hiroba.platform.mail.Mailer;
import io.hiroba.platform.mail.RecentMail;
import io.hiroba.platform.web.Shell;
import io.javalin.config.RoutesConfig;
import io.javalin.http.Context;
import java.util.Map;

/** The admin page of recent mails: without a mail server this is where a code can be read. */
public final class MailPages implements Routes {

    private static final int MAX_SHOWN = 50;

    private final Shell shell;
    private final Readers readers;
    private final Mailer mailer;
    private final AuditLog audit;

    MailPages(Shell shell, Readers readers, Mailer mailer, AuditLog audit) {
        this.shell = shell;
        this.readers = readers;
        this.mailer = mailer;
        this.audit = audit;
    }

    @Override
    public void register(RoutesConfig routes) {
        routes.get("/admin/mail", this::list);
    }

    private void list(Context ctx) {
        var caller = Caller.of(ctx);
        caller.requireAdmin();
        audit.recordRead(caller, AuditLog.Action.MAIL_READ, AuditLog.Target.NONE);
        var reader = readers.reader(ctx);
        var mails = mailer.recent(MAX_SHOWN).stream()
                .map(mail -> view(mail, reader))
                .toList();
        shell.page(ctx, Text.of("accounts.mail"), "accounts/admin-mail", Map.of("mails", mails));
    }

    private static MailView view(RecentMail mail, Reader reader) {
        var sentAt = mail.sentAt();
        var error = mail.error();
        var state = sentAt != null
                ? reader.text("accounts.mail-sent", "when", reader.ago(sentAt))
                : error != null
                        ? reader.text("accounts.mail-failed", "error", error)
                        : reader.text("accounts.mail-waiting");
        return new MailView(mail.to(), mail.subject(), state, mail.text());
    }

    /** The view of a mail. */
    public record MailView(String to, String subject, String sent, String text) {}
}
