/**
 * The GitLab integration. A webhook call passes it from top to bottom: {@code WebhookRoutes} checks the secret of its
 * connection, {@code WebhookDeliveries} stores it, {@code DeliveryWorker} claims it, and {@code GitlabEvents} parses it and
 * hands it to the handler of its kind, which mirrors the resource, decides on the recipients and notifies them.
 *
 * <p>Invariants: a stored call is handled once, in one transaction; a repeated call changes nothing.
 */
@NullMarked
package io.hiroba.inbox.gitlab;

import org.jspecify.annotations.NullMarked;
