package io.hiroba.accounts.pages;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;

import com.microsoft.playwright.Page;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** The admin pages, which others do not see. */
class AdminPagesTest extends PagesTest {

    @Test
    void anAdminMakesAUserWhoCanLogIn() {
        var admin = admin("Root").go("/admin/users");
        admin.fill("E-mail", "made@example.org")
                .fill("Nickname", "Made")
                .fill("Password", PagesServer.PASSWORD)
                .press("Create user");
        assertThat(admin.toast()).containsText("Made was created.");

        assertThat(visitor().logIn("made@example.org").self()).hasText("Made");
    }

    @Test
    void aTakenAddressIsSaid() {
        browser.expecting(409);
        var taken = server.user("Taken");
        var admin = admin("Root").go("/admin/users");
        admin.fill("E-mail", taken)
                .fill("Nickname", "Twice")
                .fill("Password", PagesServer.PASSWORD)
                .press("Create user");

        assertThat(admin.alert()).containsText("There is already an account with this e-mail address.");
        assertThat(admin.field("Nickname")).hasValue("Twice");
    }

    @Test
    void anAdminActsAsAnotherUnderABannerAndComesBack() {
        server.user("Needs Help");
        var admin = admin("Helper").go("/admin/users?prefix=needs").press("Act as Needs Help");
        assertThat(admin.self()).hasText("Needs Help");
        assertThat(admin.page().locator(".banner")).containsText("Helper, you are acting as Needs Help.");
        assertThat(admin.link("Mail")).hasCount(0);

        admin.press("Back to yourself");
        assertThat(admin.toast()).containsText("You are no longer acting as another user.");
        assertThat(admin.page().locator(".banner")).hasCount(0);
        assertThat(admin.link("Mail")).isVisible();
    }

    @Test
    void aSuspendedAccountIsOutAndReadsWhyUntilItIsRestored() {
        browser.expecting(403);
        var email = server.user("Noisy");
        var member = visitor().logIn(email);
        assertThat(member.self()).hasText("Noisy");
        var admin = admin("Keeper").go("/admin/users?prefix=noisy").follow("Noisy");
        admin.page()
                .getByText("Suspend", new Page.GetByTextOptions().setExact(true))
                .click();
        admin.fill("Reason", "Too loud").press("Suspend account");
        assertThat(admin.toast()).containsText("Account suspended.");
        assertThat(admin.page().locator("main")).containsText("Reason: Too loud");

        member.go("/settings").fillInLogIn(email, PagesServer.PASSWORD);
        assertThat(member.alert()).containsText("This account is suspended.");
        admin.press("Restore account");
        assertThat(admin.toast()).containsText("Account restored.");
        assertThat(member.logIn(email).self()).hasText("Noisy");
    }

    @Test
    void anAdminReadsTheMailsThatWereWrittenToFiles() {
        var admin = admin("Postmaster");
        visitor().go("/signup").fill("E-mail", "mailed@example.org").press("Send code");
        var code = server.codeFor("mailed@example.org");
        admin.go("/admin/mail");

        assertThat(admin.page().locator("article").first()).containsText("mailed@example.org");
        assertThat(admin.page().locator("article pre").first()).containsText(code);
        var read = admin.go("/admin/audit?action=mail-read").page().locator("#entries summary");
        assertThat(read).hasCount(1);
        assertThat(read).containsText("Postmaster");
    }

    @Test
    void anAdminFiltersTheAuditLogAndSeesWhatChanged() {
        var admin = admin("Watcher").go("/admin/users");
        admin.fill("E-mail", "watched@example.org")
                .fill("Nickname", "Watched")
                .fill("Password", PagesServer.PASSWORD)
                .press("Create user");
        admin.go("/admin/audit").field("Action").selectOption("user-created");
        admin.fill("Account concerned", "watched@example.org").press("Filter");
        var entries = admin.page().locator("#entries details");
        assertThat(entries).hasCount(1);
        assertThat(entries.locator("summary")).containsText("Account created");
        assertThat(entries.locator("summary")).containsText("Watcher");
        assertThat(entries.locator("ins").first()).isHidden();
        entries.locator("summary").click();
        assertThat(entries.locator("ins")).hasText(new String[] {"false", "watched@example.org", "Watched"});
        assertThat(entries.locator(".facts")).containsText("127.0.0.1");
        assertThat(admin.link("Export as JSON lines"))
                .hasAttribute(
                        "href", Pattern.compile("/api/v1/audit/export\\?subject=[0-9A-F]{16}&action=user-created&"));

        admin.fill("Account concerned", "nobody at all").press("Filter");
        assertThat(admin.page().locator("#subject-error")).hasText("Is not the e-mail address or ID of an account.");
    }

    @Test
    void whatIsForAdminsIsRefusedToOthers() {
        browser.expecting(403);
        var member = member("Curious");
        assertThat(member.link("Users")).hasCount(0);

        assertThat(member.go("/admin/users").heading("Not allowed")).isVisible();
        assertThat(member.go("/admin/mail").heading("Not allowed")).isVisible();
        assertThat(member.go("/admin/audit").heading("Not allowed")).isVisible();
    }

    @Test
    void peopleAreFoundByTheBeginningOfTheirNickname() {
        for (var i = 0; i < 25; i++) {
            server.user("Zoe %02d".formatted(i));
        }
        var member = member("Finder");
        var rows = member.go("/users").page().locator("#people .person");
        member.field("Nickname begins with").pressSequentially("ZOE");
        assertThat(rows.first()).containsText("Zoe 00");
        assertThat(rows).hasCount(20);
        assertThat(member.page()).hasURL(server.url("/users?prefix=ZOE"));

        member.link("More").click();
        assertThat(rows).hasCount(25);
        assertThat(rows.last()).containsText("Zoe 24");
        assertThat(member.page().locator("#people")).not().containsText("@example.org");

        member.fill("Nickname begins with", "nobody like this");
        assertThat(member.page().getByText("Nobody found")).isVisible();
    }

    private Visitor admin(String nickname) {
        var visitor = visitor().logIn(server.admin(nickname));
        assertThat(visitor.self()).hasText(nickname);
        return visitor;
    }

    @Test
    void anAdminInvitesPeopleByALinkAndByMail() {
        var admin = admin("Host").go("/admin/invitations");
        admin.fill("Note (optional)", "For the team").press("Create invitation");
        var link = admin.field("Invitation link").inputValue();
        var guest = visitor();
        guest.page().navigate(link);
        guest.fill("E-mail", "guest@example.org").press("Send code");
        guest.fill("Code from the mail", server.codeFor("guest@example.org"))
                .fill("Nickname", "Guest")
                .fill("Password", PagesServer.PASSWORD)
                .press("Create account");
        assertThat(guest.self()).hasText("Guest");
        assertThat(admin.go("/admin/invitations").page().locator("main li").first())
                .containsText("Used up");
        assertThat(admin.link("Guest")).isVisible();

        admin.fill("E-mail (optional)", "mailed-guest@example.org").press("Create invitation");
        assertThat(admin.toast()).containsText("Invitation sent to mailed-guest@example.org.");
        var text = server.mail("mailed-guest@example.org", "Host invites you to Hiroba")
                .text();
        var mailed = visitor().go(text.substring(text.indexOf("/signup?")).split("\\s", 2)[0]);
        mailed.fill("Nickname", "Mailed").fill("Password", PagesServer.PASSWORD).press("Create account");
        assertThat(mailed.self()).hasText("Mailed");
    }
}
