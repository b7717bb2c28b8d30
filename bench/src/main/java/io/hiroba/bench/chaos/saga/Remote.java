package io.hiroba.bench.chaos.saga;

import io.hiroba.saga.call.Outcome;
import io.hiroba.saga.call.StepCall;
import io.hiroba.saga.call.StepCaller;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.net.http.HttpTimeoutException;
import tools.jackson.databind.json.JsonMapper;

/** Calls the service of a run. */
final class Remote implements StepCaller {

    private final String endpoint;
    private final HttpClient client =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();

    Remote(String endpoint) {
        this.endpoint = endpoint;
    }

    @Override
    public Outcome call(StepCall call) {
        var request = HttpRequest.newBuilder(URI.create(endpoint + "/" + call.method()))
                .timeout(call.timeout())
                .header("Idempotency-Key", call.idempotencyKey())
                .header("Saga-Attempt", String.valueOf(call.attempt()))
                .POST(BodyPublishers.ofString(call.input().toString()))
                .build();
        try {
            var response = client.send(request, BodyHandlers.ofString());
            int status = response.statusCode();
            if (status == 200) {
                return new Outcome.Done(JsonMapper.shared().readTree(response.body()));
            }
            return status >= 500
                    ? Outcome.Failed.forNow("it said " + status)
                    : Outcome.Failed.forGood("it said " + status);
        } catch (HttpTimeoutException e) {
            return new Outcome.TimedOut("no answer within " + call.timeout().toMillis() + " ms");
        } catch (IOException e) {
            return Outcome.Failed.forNow("the connection broke");
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return Outcome.Failed.forNow("interrupted");
        }
    }
}
