/*
 * Greetings of bursts. Called by their senders and their receiver.
 *
 * Invariant: what a receiver makes room for by a hello is bounded, whoever sent it.
 */
#define _GNU_SOURCE
#include "bench/burst_flow.h"

#include <stdio.h>
#include <string.h>

#define BOOT_ID "/proc/sys/kernel/random/boot_id"

void burst_hello_encode(const burst_hello_t *hello, burst_sender_id_t id, wire_message_t *message)
{
    *message = (wire_message_t){
        .sequence = burst_sequence(hello->bursts, hello->size),
        .intended_ns = hello->machine,
        .sent_ns = hello->warmup,
        .sender = burst_sender_pack(id),
        .kind = WIRE_HELLO,
    };
}

bool burst_hello_decode(burst_hello_t *hello, const wire_message_t *message)
{
    const burst_sender_id_t id = burst_sender_unpack(message->sender);
    const burst_hello_t said = {
        .bursts = (uint32_t)(message->sequence >> 32),
        .size = (uint32_t)message->sequence,
        .warmup = (uint32_t)message->sent_ns,
        .machine = message->intended_ns,
    };
    if (message->kind != WIRE_HELLO || id.senders == 0 || id.senders > BURST_SENDERS_MAX ||
        id.index >= id.senders || said.bursts == 0 || said.bursts > BURST_BURSTS_MAX ||
        said.size == 0 || said.size > BURST_SIZE_MAX || message->sent_ns >= said.bursts)
        return false;
    *hello = said;
    return true;
}

/* FNV-1a of the text. */
uint64_t burst_machine(void)
{
    char text[64];
    FILE *file = fopen(BOOT_ID, "re");
    if (file == NULL)
        return 0;
    const size_t length = fread(text, 1, sizeof text, file);
    (void)fclose(file);
    uint64_t hash = length ? UINT64_C(0xcbf29ce484222325) : 0;
    for (size_t i = 0; i < length; i++)
        hash = (hash ^ (uint8_t)text[i]) * UINT64_C(0x100000001b3);
    return hash;
}
