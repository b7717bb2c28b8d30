package io.hiroba.accounts.pages;

import io.hiroba.accounts.AccountsModule;
import io.hiroba.platform.Platform;
import io.hiroba.platform.http.Routes;
import io.hiroba.platform.i18n.Text;
import io.hiroba.platform.web.NavItem;
import io.hiroba.platform.web.NavItem.Audience;
import io.hiroba.platform.web.Shell;
import java.util.List;

/** The pages of the accounts feature. */
public final class AccountPages {

    public static final List<NavItem> NAVIGATION = List.of(
            new NavItem(Text.of("accounts.people"), "/users", "people", 100, Audience.SIGNED_IN),
            new NavItem(Text.of("accounts.settings"), "/settings", "settings", 900, Audience.SIGNED_IN),
            new NavItem(Text.of("accounts.profile"), "/settings/profile", "person", 910, Audience.SIGNED_IN),
            new NavItem(Text.of("accounts.email"), "/settings/email", "mail", 920, Audience.SIGNED_IN),
            new NavItem(Text.of("accounts.password"), "/settings/password", "shield", 930, Audience.SIGNED_IN),
            new NavItem(Text.of("accounts.sessions"), "/settings/sessions", "device", 950, Audience.SIGNED_IN),
            new NavItem(Text.of("accounts.tokens"), "/settings/tokens", "key", 960, Audience.SIGNED_IN),
            new NavItem(Text.of("accounts.apps"), "/settings/apps", "plug", 965, Audience.SIGNED_IN),
            new NavItem(Text.of("accounts.users"), "/admin/users", "shield", 1000, Audience.ADMIN),
            new NavItem(Text.of("accounts.mail"), "/admin/mail", "mail", 1010, Audience.ADMIN));

    private AccountPages() {}

    public static List<Routes> of(Shell shell, Platform platform, AccountsModule accounts) {
        var addresses = platform.addresses();
        var users = accounts.users();
        var readers = accounts.readers();
        var sessions = accounts.sessions();
        var tokens = accounts.tokens();
        var cookie = accounts.sessionCookie();
        var directory = accounts.directory();
        var publicUrl = platform.http().publicUrl();
        return List.of(
                new SettingsOverviewPages(shell, users, readers, directory, tokens, publicUrl),
                new SignUpPages(shell, readers, accounts.signUp(), sessions, cookie, addresses),
                new LogInPages(shell, sessions, cookie, addresses),
                new PasswordResetPages(shell, readers, accounts.passwordReset(), cookie, addresses),
                new ProfilePages(shell, users, accounts.aiModels()),
                new EmailPages(shell, readers, users, accounts.emailChange(), sessions, addresses),
                new PasswordPages(shell, accounts.passwordChange(), users, accounts.credentials()),
                new SessionPages(shell, readers, sessions),
                new TokenPages(shell, readers, tokens, accounts.tokenLifetime(), sessions),
                new UserDirectoryPages(shell, directory),
                new MailPages(shell, readers, platform.mailer()),
                new AdminPages(shell, users, accounts.credentials(), directory, sessions, cookie));
    }
}
