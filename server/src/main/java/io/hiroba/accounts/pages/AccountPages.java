package io.hiroba.accounts.pages;

import io.hiroba.accounts.AccountsModule;
import io.hiroba.accounts.Caller;
import io.hiroba.platform.Platform;
import io.hiroba.platform.http.Routes;
import io.hiroba.platform.i18n.Text;
import io.hiroba.platform.web.NavItem;
import io.hiroba.platform.web.NavItem.Audience;
import io.hiroba.platform.web.Shell;
import io.javalin.http.Context;
import java.util.List;
import java.util.stream.Stream;

/** The pages of the accounts feature. */
public final class AccountPages {

    private static final List<NavItem> NAVIGATION = List.of(
            new NavItem(Text.of("accounts.people"), "/users", "people", 100, Audience.SIGNED_IN),
            new NavItem(Text.of("accounts.settings"), "/settings", "settings", 900, Audience.SIGNED_IN),
            new NavItem(Text.of("accounts.profile"), "/settings/profile", "person", 910, Audience.SIGNED_IN),
            new NavItem(Text.of("accounts.email"), "/settings/email", "mail", 920, Audience.SIGNED_IN),
            new NavItem(Text.of("accounts.password"), "/settings/password", "shield", 930, Audience.SIGNED_IN),
            new NavItem(Text.of("accounts.security"), "/settings/security", "key", 940, Audience.SIGNED_IN),
            new NavItem(Text.of("accounts.sessions"), "/settings/sessions", "device", 950, Audience.SIGNED_IN),
            new NavItem(Text.of("accounts.tokens"), "/settings/tokens", "key", 960, Audience.SIGNED_IN),
            new NavItem(Text.of("accounts.apps"), "/settings/apps", "plug", 965, Audience.SIGNED_IN),
            new NavItem(Text.of("accounts.users"), "/admin/users", "shield", 1000, Audience.ADMIN),
            new NavItem(Text.of("accounts.models"), AiModelPages.PATH, "robot", 1006, Audience.ADMIN)
                    .covering("/admin/chat-models"),
            new NavItem(Text.of("accounts.mail"), "/admin/mail", "mail", 1010, Audience.ADMIN),
            new NavItem(Text.of("accounts.audit"), "/admin/audit", "file", 1020, Audience.ADMIN));

    private static final NavItem INVITATIONS =
            new NavItem(Text.of("accounts.invitations"), InvitationPages.OF_ADMINS, "people", 1005, Audience.ADMIN);
    private static final NavItem OWN_INVITATIONS =
            new NavItem(Text.of("accounts.invitations"), InvitationPages.OF_MEMBERS, "people", 970, Audience.SIGNED_IN);
    private static final NavItem SIGN_IN =
            new NavItem(Text.of("accounts.sign-in"), "/settings/sign-in", "plug", 940, Audience.SIGNED_IN);
    private static final NavItem SIGN_UP =
            new NavItem(Text.of("accounts.signup"), "/signup", "person", 0, Audience.SIGNED_OUT);

    private AccountPages() {}

    /** The entries of the navigation; where nobody can sign up without an invitation, none leads there. */
    public static List<NavItem> navigation(AccountsModule accounts) {
        var rules = accounts.signUp().rules();
        return Stream.of(
                        NAVIGATION.stream(),
                        Stream.of(INVITATIONS),
                        Stream.of(SIGN_IN)
                                .filter(item -> !accounts.oidc().providers().isEmpty()),
                        Stream.of(OWN_INVITATIONS.visibleIf(AccountPages::isNoAdmin))
                                .filter(item -> rules.memberInvitations()),
                        Stream.of(SIGN_UP).filter(item -> rules.isOffered()))
                .flatMap(items -> items)
                .toList();
    }

    private static boolean isNoAdmin(Context ctx) {
        return Caller.find(ctx).filter(Caller::admin).isEmpty();
    }

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
                new SignUpPages(shell, accounts, addresses),
                new InvitationPages(shell, readers, users, accounts.invitations(), publicUrl),
                new LogInPages(shell, accounts, addresses),
                new OidcPages(shell, accounts, platform),
                new IdentityPages(shell, readers, accounts.oidc()),
                new SecurityPages(shell, readers, accounts),
                new ConfirmPages(shell, accounts),
                new PasswordResetPages(shell, accounts, addresses),
                new ProfilePages(shell, users, accounts.aiModels()),
                new EmailPages(shell, users, accounts.emailChange(), sessions, addresses),
                new PasswordPages(shell, accounts),
                new SessionPages(shell, readers, sessions),
                new TokenPages(shell, readers, tokens, accounts.tokenLifetime(), sessions),
                new UserDirectoryPages(shell, directory),
                new AiModelPages(
                        shell, accounts.aiModels(), new AiUsageViews(accounts.aiUsage(), platform.clock(), readers)),
                new MailPages(shell, readers, platform.mailer(), accounts.audit()),
                new AuditPages(shell, readers, accounts.audit(), users, platform.cursors()),
                new AdminPages(shell, users, accounts.credentials(), directory, sessions, cookie),
                new AdminUserPages(shell, accounts));
    }
}
