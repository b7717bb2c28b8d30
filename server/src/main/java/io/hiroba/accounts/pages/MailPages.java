package io.hiroba.accounts.pages;

import io.hiroba.accounts.Caller;
import io.hiroba.platform.http.Routes;
import io.hiroba.platform.mail.Mailer;
import io.hiroba.platform.mail.RecentMail;
import io.hiroba.platform.web.Shell;
import io.javalin.config.RoutesConfig;
import io.javalin.http.Context;
import java.time.InstantSource;
import java.util.Map;

/** The mails of the last days, for admins: without a mail server this is where a code can be read. */
public final class MailPages implements Routes {

    private static final int SHOWN = 50;

    private final Shell shell;
    private final Readers readers;
    private final Mailer mailer;
    private final InstantSource clock;

    public MailPages(Shell shell, Readers readers, Mailer mailer, InstantSource clock) {
        this.shell = shell;
        this.readers = readers;
        this.mailer = mailer;
        this.clock = clock;
    }

    @Override
    public void register(RoutesConfig routes) {
        routes.get("/admin/mail", this::list);
    }

    private void list(Context ctx) {
        Caller.of(ctx).requireAdmin();
        var when = new ReaderClock(clock.instant(), readers.zone(ctx));
        var mails = mailer.recent(SHOWN).stream().map(mail -> view(mail, when)).toList();
        shell.page(ctx, "Mail", "accounts/admin-mail", Map.of("mails", mails));
    }

    private static MailView view(RecentMail mail, ReaderClock when) {
        var sentAt = mail.sentAt();
        var error = mail.error();
        var state = sentAt != null ? "Sent " + when.ago(sentAt) : error != null ? "Failed: " + error : "Waiting";
        return new MailView(mail.to(), mail.subject(), state, mail.text());
    }
}
