package io.hiroba.webhooks;

import static org.assertj.core.api.Assertions.assertThat;

import io.hiroba.platform.http.PublicAddress;
import io.hiroba.platform.http.SafeAddressResolver;
import io.hiroba.testkit.TestHttpService;
import io.hiroba.webhooks.OutgoingDelivery.Failure;
import java.net.InetAddress;
import java.time.Clock;
import java.time.Duration;
import java.util.Base64;
import java.util.List;
import org.junit.jupiter.api.Test;

class WebhookSenderTest {

    @Test
    void theSignatureIsThatOfStandardWebhooks() {
        var key = Base64.getDecoder().decode("MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw");
        assertThat(WebhookSender.signatures(
                        "msg_p5jXN8AQM9LWM0D4loKWxJek", "1614265330", "{\"test\": 2432232314}", List.of(key)))
                .isEqualTo("v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=");
    }

    @Test
    void aNameThatStandsForAPrivateAddressIsNotConnectedTo() {
        try (var service = TestHttpService.start((asked, exchange) -> TestHttpService.reply(exchange, 200, ""));
                var sender = new WebhookSender(
                        Clock.systemUTC(),
                        Duration.ofSeconds(5),
                        new SafeAddressResolver(
                                host -> new InetAddress[] {InetAddress.ofLiteral("127.0.0.1")},
                                PublicAddress::isPublic))) {
            var url = service.url().replace("127.0.0.1", "innocent.example");
            assertThat(sender.send(url, "1", "{}", List.of(new byte[16])).failure())
                    .isEqualTo(Failure.PRIVATE_ADDRESS);
            assertThat(service.asked()).isEmpty();
        }
    }
}
